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
        run, texts = self.generate_files(table, 1)
        return run, texts[0] if texts else ""

    def generate_files(self, table, count):
        with tempfile.TemporaryDirectory() as folder:
            calls, entries, header = (os.path.join(folder, n) for n in
                                      ("calls.def", "entries.cc", "mpi.h"))
            wrappers = [os.path.join(folder, f"{i}.cc") for i in range(count)]
            with open(calls, "w") as f:
                f.write(table)
            with open(header, "w") as f:
                f.write(HEADER)
            run = subprocess.run([sys.executable, GENERATOR, "-", calls,
                                  ",".join(wrappers), entries, header],
                                 capture_output=True, text=True)
            if run.returncode != 0:
                return run, []
            return run, [open(path).read() for path in wrappers]

    def test_each_wrapper_is_in_one_of_the_files(self):
        _, whole = self.generate(SEND)
        run, parts = self.generate_files(SEND, 3)
        self.assertEqual(run.returncode, 0, run.stderr)
        for name in ("MPI_Send", "MPI_Send_c", "MPI_Win_fence",
                     "MPI_Intercomm_merge"):
            start = f"int {name}("
            self.assertEqual(whole.count(start), 1)
            self.assertEqual([p.count(start) for p in parts].count(1), 1)
        self.assertEqual(sum(p.count("kPassingCalls") for p in parts), 1)

    def test_roles_that_do_not_fit_the_prototype_stop_the_build(self):
        run, _ = self.generate(SEND.replace(" comm", ""))
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("MPI_Send", run.stderr)

    def test_a_large_count_call_records_as_its_base_call(self):
        run, text = self.generate(SEND)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(text.count("Interception in(Call::MPI_Send_,"), 2)
        self.assertIn("real_MPI_Send_c(buf, count", text)

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
        self.assertIn("real_MPI_Win_fence(assert, win)", text)
        self.assertNotIn("Call::MPI_Win_fence_", text)

    def test_passing_calls_keep_the_tables_of_handles_right(self):
        _, text = self.generate(SEND)
        self.assertIn("ObtainComm(newcomm, result);", text)


unittest.main()
