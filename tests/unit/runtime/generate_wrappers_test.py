#!/usr/bin/env python3
"""Runs the generator on a small mpi.h of its own.

usage: generate_wrappers_test.py GENERATOR
"""
import os
import subprocess
import sys
import tempfile
import unittest

GENERATOR = sys.argv.pop(1)
HEADER = """
#define MPI_Bogus(x) MPI_Hidden(x)
int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest,
             int tag, MPI_Comm comm) ATTRIBUTE;
int MPI_Send_c(const void *buf, MPI_Count count, MPI_Datatype datatype,
               int dest, int tag, MPI_Comm comm) ATTRIBUTE;
int MPI_Get_count(const MPI_Status *s, MPI_Datatype d, int *c) ATTRIBUTE;
int MPI_Gather(const void *s, int n, MPI_Datatype t, void *r, int m,
               MPI_Datatype u, int root, MPI_Comm comm);
int MPI_Win_fence(int assert, MPI_Win win) ATTRIBUTE;
int MPI_Intercomm_merge(MPI_Comm inter, int high, MPI_Comm *newcomm);
"""
SEND = 'RANKSIGHT_CALL(10, MPI_Send, "- count type peer tag comm")\n'


class Generator(unittest.TestCase):
    def generate(self, table):
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, n) for n in
                     ("calls.def", "out.cc", "entries.cc", "mpi.h")]
            with open(paths[0], "w") as f:
                f.write(table)
            with open(paths[3], "w") as f:
                f.write(HEADER)
            run = subprocess.run([sys.executable, GENERATOR, "-", *paths],
                                 capture_output=True, text=True)
            text = open(paths[1]).read() if run.returncode == 0 else ""
            return run, text

    def test_roles_that_do_not_fit_the_prototype_stop_the_build(self):
        run, _ = self.generate(SEND.replace(" comm", ""))
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("MPI_Send", run.stderr)

    def test_a_large_count_call_records_as_its_base_call(self):
        run, text = self.generate(SEND)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(text.count("Interception in(Call::MPI_Send_,"), 2)
        self.assertIn("PMPI_Send_c(buf, count", text)

    def test_arguments_are_read_where_they_are_significant(self):
        _, text = self.generate(
            'RANKSIGHT_CALL(66, MPI_Gather,\n"sendinplace count@nonroot '
            'type@nonroot - rcount@root "\n"rtype@root root comm")\n')
        for argument in ("a.Count(n, Side::kSend, a.IsNonRoot(root))",
                         "a.Type(t, Side::kSend, a.IsNonRoot(root))",
                         "a.Count(m, Side::kReceive, a.IsRoot(root, comm))"):
            self.assertIn(argument, text)

    def test_a_call_that_only_looks_is_not_wrapped(self):
        _, text = self.generate(SEND + "RANKSIGHT_LOOK(MPI_Get_count)\n")
        self.assertNotIn("MPI_Get_count", text)

    def test_a_call_the_installed_mpi_lacks_is_passed_over(self):
        run, text = self.generate(
            SEND + 'RANKSIGHT_CALL(60, MPI_Barrier, "comm")\n')
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertNotIn("MPI_Barrier", text)

    def test_other_calls_pass_through_and_are_counted(self):
        _, text = self.generate(SEND)
        self.assertIn('"MPI_Win_fence"', text)
        self.assertIn("PMPI_Win_fence(assert, win)", text)
        self.assertNotIn("Call::MPI_Win_fence_", text)

    def test_passing_calls_keep_the_tables_of_handles_right(self):
        _, text = self.generate(SEND)
        self.assertIn("ObtainComm(newcomm, result);", text)


unittest.main()
