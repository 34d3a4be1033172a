#!/usr/bin/env python3
"""Recorded computation, held against a known one.

The program computes for a known time before each barrier; prints what the
trace says about that time, the runtime's own cost having been taken off.
Interruptions add to what is recorded, so on busy cores the least is the nearer.
"""
import argparse
import json
import os
import statistics
import subprocess
import tempfile


def run(options, folder):
    """How many calls -> (known, recorded) nanoseconds of computation a call."""
    environment = dict(os.environ, UCX_HANDLE_ERRORS="none")
    trace = environment["RANKSIGHT_OUTPUT"] = os.path.join(folder, "c.trace")
    out = subprocess.run(
        [options.mpiexec, "-n", "1", "-env", "LD_PRELOAD", options.ours,
         options.program], env=environment, check=True, capture_output=True,
        text=True).stdout
    known = {int(calls): float(ns)
             for calls, ns in (line.split() for line in out.splitlines())}
    stats = json.loads(subprocess.run(
        [options.ranksight, "stats", trace, "--json"], check=True,
        capture_output=True, text=True).stdout)
    recorded = {site["count"]: site["compute_ns"] / site["count"]
                for site in stats["sites"]}
    return {calls: (ns, recorded[calls]) for calls, ns in known.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("mpiexec", "program", "ours", "ranksight"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--runs", type=int, default=25)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        runs = [run(options, folder) for _ in range(options.runs)]
    print("nanoseconds of computation before a call, least and median of "
          f"{options.runs} runs")
    print(f"{'known':>10}{'least':>10}{'ratio':>8}{'median':>10}{'ratio':>8}")
    for calls in runs[0]:
        known = min(r[calls][0] for r in runs)
        recorded = [r[calls][1] for r in runs]
        least, middle = min(recorded), statistics.median(recorded)
        print(f"{known:10.1f}{least:10.1f}{least / known:8.3f}"
              f"{middle:10.1f}{middle / known:8.3f}")


if __name__ == "__main__":
    main()
