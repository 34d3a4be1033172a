#!/usr/bin/env python3
"""own_cores.py BUILD OUT [--ranks 4,6,8,16] [--repeat 15] [--before COMMAND]
             [PROGRAM...]

How well ranks that share cores foretell runs with a core for each rank. Each
program is recorded with the rank counts given on this machine's cores, which
should be fewer, and forecast at 2 and 1 ranks; these are then run, the least
of as many times as --repeat says, by the wall clock. Other work on the machine
makes those longer, but for what --before may do about it ("chrt -f 10", as root:
they run before all others). The network is as measured (`machine measure`, which two
cores are enough for). Prints the table of docs/forecast-accuracy.md.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
LAUNCHER = "mpiexec.mpich"
WORK = "40000000"  # ns of a step of all ranks, ten steps


def programs(build, out):
    """Name, command, and rank counts it cannot run at."""
    patterns = out / "patterns"
    subprocess.run(["mpicc.mpich", "-w", "-O2", "-DRANKSIGHT_REAL_WORK", "-o", patterns,
                    SOURCE / "tests/bench/simulated/patterns.c"], check=True)
    stencil2d, stencil3d = build / "bin/stencil2d", build / "bin/stencil3d"
    return {
        "stencil2d, weak": ([stencil2d, "--size", "256x256"], []),
        "stencil2d, strong": ([stencil2d, "--global", "768x768"], []),
        "stencil3d, weak": ([stencil3d, "--size", "32x32x32", "--steps", "100"], []),
        "gradient": ([patterns, "gradient", WORK, "65536"], [6]),
        "sweep": ([patterns, "sweep", WORK, "2000"], []),
        "transpose": ([patterns, "transpose", WORK, "1000000"], []),
        "ring": ([patterns, "ring", WORK, "100000"], []),
        "butterfly": ([patterns, "butterfly", WORK, "20000"], [6]),
        "halo": ([patterns, "halo", WORK, "8192"], []),
        "everybody": ([patterns, "everybody", WORK, "8192"], []),
    }


class Runs:
    def __init__(self, build, out):
        self.ranksight = build / "bin/ranksight"
        self.out = out
        self.polite = build / "lib/libyield_preload.so"

    def call(self, *words, **variables):
        environment = {k: v for k, v in os.environ.items()
                       if k != "RANKSIGHT_CLOCK"} | variables
        done = subprocess.run([str(w) for w in words], env=environment,
                              cwd=self.out, capture_output=True, text=True)
        return done.stdout

    def record(self, name, ranks, command, before=(), **variables):
        trace = self.out / f"{name.replace(', ', '-')}.{ranks}.trace"
        self.call(*before, self.ranksight, "record", "-o", trace, "--", LAUNCHER, "-n",
                  ranks, *command, **variables)
        return trace

    def show(self, trace):
        return json.loads(self.call(self.ranksight, "show", "--json", trace))

    def seconds(self, name, ranks, command, repeat, before):
        least = float("inf")
        for _ in range(repeat):
            trace = self.record(name + "-real", ranks, command,
                                before, RANKSIGHT_CLOCK="tsc")
            least = min(least, self.show(trace)["elapsed_ns"]["max"] * 1e-9)
        return least

    def forecast(self, traces, network):
        text = self.call(self.ranksight, "forecast", "--json", "--ranks", "2,1",
                         "--network", network, *traces)
        return {p["ranks"]: p for p in json.loads(text)["points"]}


def cell(point, truth):
    if not point.get("seconds"):
        return None, "none"
    error = point["seconds"] / truth - 1
    inside = point["low"] <= truth <= point["high"]
    note = ", refused" if point["refused"] else "" if inside else ", outside"
    return error, f"{100 * error:+.1f} %{note}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--ranks", default="4,6,8,16")
    parser.add_argument("--repeat", type=int, default=15)
    parser.add_argument("--before", default="")
    parser.add_argument("programs", nargs="*")
    args = parser.parse_args()
    build, out = args.build.resolve(), args.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    runs = Runs(build, out)
    network = out / "network.json"
    runs.call(*args.before.split(), runs.ranksight, "machine", "measure", "--messages-only", "-o",
              network)
    errors = []
    print("| | 2 ranks | forecast | 1 rank | forecast |\n|---|---|---|---|---|")
    for name, (command, without) in programs(build, out).items():
        if args.programs and name not in args.programs:
            continue
        traces = [runs.record(name, ranks, command, LD_PRELOAD=str(runs.polite))
                  for ranks in map(int, args.ranks.split(","))
                  if ranks not in without]
        if not all(runs.show(t)["own_time"] for t in traces):
            sys.exit(f"{name}: the ranks shared no cores; give more ranks")
        points = runs.forecast(traces, network)
        row = [name]
        for ranks in (2, 1):
            truth = runs.seconds(name, ranks, command, args.repeat,
                                 args.before.split())
            error, text = cell(points[ranks], truth)
            if error is not None and not points[ranks]["refused"]:
                errors.append(abs(error))
            row += [f"{1000 * truth:.1f} ms", text]
        print("| " + " | ".join(row) + " |", flush=True)
    print(f"\n{len(errors)} points, {100 * statistics.median(errors):.1f} % off in "
          f"the median, worst {100 * max(errors):.1f} %")


if __name__ == "__main__":
    main()
