#!/usr/bin/env python3
"""frame_speed.py BUILD [EVENTS]: how long the Python package takes to make a frame
of all calls of a rank, a million where EVENTS is not given.

Records stencil2d on 4 ranks for as many steps as that takes. Prints the seconds
of five times `ranksight.open(trace).events(0)`: wall clock and processor time, the
median and the worst of each. pandas is loaded before.
"""
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

STEPS_AT_FIRST, TIMES = 10, 5

build = pathlib.Path(sys.argv[1]).resolve()
wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "python"))
os.environ["RANKSIGHT_PREFIX"] = str(build)
import ranksight  # noqa: E402  pylint: disable=wrong-import-position


def record(steps, path):
    """A trace of so many steps. Ranks that wait leave the cores to others."""
    idle = {"LD_PRELOAD": str(build / "lib/libyield_preload.so"), "IDLE_US": "20"}
    subprocess.run(
        [build / "bin/ranksight", "record", "-o", path, "--", "mpiexec.mpich",
         "-n", "4", build / "bin/stencil2d", "--size", "8x8", "--steps",
         str(steps)],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={**os.environ, **idle})
    return ranksight.open(path)


with tempfile.TemporaryDirectory() as folder:
    short = record(STEPS_AT_FIRST, os.path.join(folder, "short.trace")).count(0)
    long = record(2 * STEPS_AT_FIRST, os.path.join(folder, "long.trace")).count(0)
    a_step = (long - short) // STEPS_AT_FIRST
    trace = os.path.join(folder, "whole.trace")
    record(-(-wanted // a_step), trace)
    took, worked = [], []
    for _ in range(TIMES):
        began, began_cpu = time.perf_counter(), time.process_time()
        frame = ranksight.open(trace).events(0)
        took.append(time.perf_counter() - began)
        worked.append(time.process_time() - began_cpu)
        assert len(frame) >= wanted, f"{len(frame)} events"
    with open("/proc/loadavg", encoding="ascii") as said:
        load = said.read().split()[0]
    print(f"{len(frame):,} events in a frame of {len(frame.columns)} columns: "
          f"{statistics.median(took):.2f} s in the median of {TIMES}, "
          f"{max(took):.2f} at worst; processor time "
          f"{statistics.median(worked):.2f} s, {max(worked):.2f} (load {load})")
