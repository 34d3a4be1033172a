"""The package against what the command prints, which reads traces otherwise.

    TRACES=4.trace:8.trace:12.trace:16.trace SYMBOLIC=laws.trace
        python3 -m unittest test_ranksight
"""
import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest

import pandas as pd

import ranksight
from ranksight import _library

FILES = os.environ["TRACES"].split(":")
SYMBOLIC = os.environ["SYMBOLIC"]
COMMAND = os.environ["RANKSIGHT_COMMAND"]


def command(*words):
    return subprocess.run([COMMAND, *words], check=True, text=True,
                          capture_output=True).stdout


def text_of(value, names):
    return names.get(value, str(value))


PEERS = {ranksight.PEER_ANY: "any", ranksight.PEER_NULL: "null",
         ranksight.PEER_ANY - 2: "root"}
TAGS = {ranksight.TAG_ANY: "any"}
NAMED = {"peer": PEERS, "rpeer": PEERS, "root": PEERS, "tag": TAGS,
         "rtag": TAGS, "comm": {}}


def canonical(row):
    words = [row["Name"]]
    for name in ("comm", "peer", "tag", "bytes", "rpeer", "rtag", "rbytes",
                 "root", "n"):
        if not pd.isna(row[name]):
            words.append(f"{name}={text_of(row[name], NAMED.get(name, {}))}")
    return " ".join(words)


class Traces(unittest.TestCase):
    def setUp(self):
        self.trace = ranksight.open(FILES[-1])

    def test_events_are_those_of_the_canonical_text(self):
        for rank in (0, self.trace.ranks - 1):
            events = self.trace.events(rank)
            shown = command("show", FILES[-1], "--events", "--rank", str(rank))
            self.assertEqual([canonical(row) for _, row in events.iterrows()],
                             shown.splitlines())
            self.assertEqual(len(events), self.trace.count(rank))

    def test_events_come_in_pieces_that_are_the_whole(self):
        whole = self.trace.events(1)
        pieces = list(self.trace.iter_events(1, rows=7))
        self.assertEqual(sum(map(len, pieces)), len(whole))
        self.assertEqual([n for p in pieces for n in p["Name"]],
                         list(whole["Name"]))
        self.assertEqual([i for p in pieces for i in p.index],
                         list(whole.index))
        pd.testing.assert_frame_equal(self.trace.events(1, limit=9),
                                      whole.iloc[:9], check_categorical=False)

    def test_call_sites_are_those_of_stats(self):
        said = json.loads(command("stats", FILES[-1], "--json"))["sites"]
        sites = self.trace.call_sites()
        self.assertEqual(len(sites), len(said))
        for (_, row), site in zip(sites.iterrows(), said):
            self.assertEqual((row["Name"], row["Call Site"], row["calls"],
                              row["sent_bytes"], row["posted_bytes"]),
                             (site["call"], site["site"], site["count"],
                              site["sent_bytes"], site["posted_bytes"]))
            self.assertAlmostEqual(row["time.exc"], site["call_ns"], delta=1)
            self.assertAlmostEqual(row["compute"], site["compute_ns"], delta=1)
            self.assertAlmostEqual(row["time.p99"], site["call_p99_ns"],
                                   delta=1)
        self.assertEqual(self.trace.flat_profile()["calls"].sum(),
                         self.trace.count())

    def test_call_sites_have_names(self):
        names = self.trace.call_sites(names=True)["Call Site"]
        self.assertTrue(any(name.startswith("main stencil2d.c:")
                            or " < main stencil2d.c:" in name
                            for name in names), list(names))

    def test_times_add_up_to_those_of_the_call_sites(self):
        times = self.trace.times()
        self.assertAlmostEqual(times["call.sum"].sum(),
                               self.trace.call_sites()["time.exc"].sum(),
                               delta=1)
        self.assertTrue((times["call.by_rank_min"]
                         <= times["call.by_rank_max"]).all())

    def test_the_matrix_is_that_of_the_command(self):
        rows = list(csv.DictReader(io.StringIO(command("matrix", FILES[-1]))))
        size, count = (self.trace.comm_matrix(k) for k in ("size", "count"))
        for row in rows:
            at = int(row["from"]), int(row["to"])
            self.assertEqual(size.iat[at], int(row["bytes"]))
            self.assertEqual(count.iat[at], int(row["messages"]))
        self.assertEqual(size.to_numpy().sum(),
                         sum(int(row["bytes"]) for row in rows))

    def test_facts_of_the_run(self):
        said = json.loads(command("show", FILES[-1], "--json"))
        self.assertEqual(self.trace.program, said["program"])
        self.assertEqual(self.trace.ranks, said["ranks"])
        self.assertEqual(self.trace.settings, {"size": "small one"})
        self.assertTrue(self.trace.is_complete)
        self.assertFalse(self.trace.is_extrapolated)
        self.assertLessEqual(self.trace.elapsed["min"],
                             self.trace.elapsed["max"])
        self.assertIn(self.trace.program, self.trace._repr_html_())

    def test_what_is_no_trace_says_so(self):
        with self.assertRaises(ranksight.RanksightError) as raised:
            ranksight.open("no such file")
        self.assertEqual(raised.exception.code, 4)
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"notes")
            file.flush()
            with self.assertRaisesRegex(ranksight.RanksightError,
                                        file.name) as raised:
                ranksight.open(file.name)
        self.assertEqual(raised.exception.code, 3)
        with self.assertRaises(ranksight.RanksightError):
            self.trace.events(self.trace.ranks)

    def test_hatchet_gets_a_tree_of_call_paths(self):
        seen = []
        fake = types.ModuleType("hatchet")
        fake.GraphFrame = types.SimpleNamespace(
            from_literal=lambda tree: seen.extend(tree))
        sys.modules["hatchet"] = fake
        try:
            self.trace.to_hatchet()
        finally:
            del sys.modules["hatchet"]

        def calls(node):
            return node["metrics"]["calls"] + sum(map(calls, node["children"]))

        self.assertEqual(sum(map(calls, seen)), self.trace.count())
        self.assertAlmostEqual(
            sum(node["metrics"]["time (inc)"] for node in seen),
            self.trace.call_sites()["time.exc"].sum(), delta=1)


class Functions(unittest.TestCase):
    def test_extrapolated_traces_are_those_of_the_command(self):
        made = ranksight.extrapolate(FILES, 36)
        self.assertTrue(made.is_extrapolated)
        self.assertEqual(made.ranks, 36)
        self.assertEqual(made.report["ranks"], 36)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "36.trace"
            command("extrapolate", *FILES, "--ranks", "36", "-o", str(path))
            same = ranksight.open(path)
            pd.testing.assert_frame_equal(made.events(5), same.events(5))

    def test_a_refusal_is_a_value(self):
        refused = ranksight.extrapolate(FILES, 24, dims="5x5")
        self.assertIsInstance(refused, ranksight.Refused)
        self.assertFalse(refused)
        self.assertTrue(refused.reason)

    def test_wrong_usage_is_an_error(self):
        with self.assertRaises(ranksight.RanksightError) as raised:
            ranksight.extrapolate(FILES[:2], 64)
        self.assertEqual(raised.exception.code, 2)

    def test_laws_are_evaluated_at_any_rank_count(self):
        table = ranksight.open(SYMBOLIC).laws_at([4, 36])
        run = ranksight.open(FILES[0]).call_sites()
        at_4 = table[table["ranks"] == 4]
        self.assertEqual(sorted(zip(at_4["Name"], at_4["calls"])),
                         sorted(zip(run["Name"], run["calls"])))
        self.assertEqual(
            table[table["ranks"] == 36]["calls"].sum(),
            ranksight.extrapolate(FILES, 36).count())

    def test_forecasts_have_a_row_for_each_rank_count(self):
        said = ranksight.forecast(FILES, [32, 64], network="hdr-infiniband")
        self.assertEqual(list(said.points["ranks"]), [32, 64])
        self.assertEqual(list(said.sizes["ranks"]),
                         [ranksight.open(f).ranks for f in FILES])

    def test_checks_say_what_changed(self):
        same = ranksight.check(FILES[0], [FILES[0]], no_time=True)
        self.assertEqual((same.verdict, bool(same)), ("same", True))
        self.assertEqual(len(same.changes), 0)
        unknown = ranksight.check(FILES[0], [FILES[0]])
        self.assertEqual(unknown.verdict, "cannot tell")


class Declarations(unittest.TestCase):
    def test_functions_of_the_header_are_exported(self):
        for name in _library._FUNCTIONS:
            self.assertTrue(hasattr(_library.library(), name))


if __name__ == "__main__":
    unittest.main()
