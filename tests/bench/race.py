#!/usr/bin/env python3
"""Ours beside other tracers, on this machine, in one go.

  race.py BUILD [--peer NAME=LIB[:LIB...]]... [--nas FOLDER] [--pairs N]

A peer is what is preloaded into a run to trace it; what it leaves in the
working folder is its trace. Every figure is taken in turns: without any tracer,
with the floor (a wrapper that reads the time-stamp counter twice), with ours,
with each peer. Prints Markdown: medians, in brackets the quartiles, and each
tracer's figure over ours. A tracer that ends a program says so in its place.

  cost of a call      thread CPU time over plain, one rank to itself
  bytes of a trace    all files left: a periodic 2-D stencil, counts that never
                      repeat, and with --nas the class S binaries of FOLDER
                      (cg.S.x ...; lu, bt, sp in class W) on 64 ranks
  a whole run         CPU time of all processes of a 2-rank stencil, over plain
  extrapolation       wall time of the command to 1,048,576 ranks; ours alone
"""
import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

CALLS = {"Irecv, Send, Wait, ns": "p2p", "Barrier, ns": "barrier",
         "Iprobe, ns": "iprobe"}
NAS = {"cg": "S", "mg": "S", "ft": "S", "ep": "S", "is": "S", "lu": "W",
       "bt": "W", "sp": "W"}


class Race:
    def __init__(self, options):
        self.build, self.pairs = os.path.abspath(options.build), options.pairs
        self.mpiexec = options.mpiexec
        self.beside = self.library("libyield_preload.so")
        self.tracers = {"ours": self.library("libranksight.so")}
        for peer in options.peer:
            name, _, libraries = peer.partition("=")
            self.tracers[name] = libraries
        self.floor = self.library("libbench_floor.so")

    def library(self, name):
        return os.path.join(self.build, "lib", name)

    def binary(self, name):
        return os.path.join(self.build, "bin", name)

    def run(self, ranks, preloads, command, folder):
        """Standard output, or None when it did not end well."""
        environment = dict(os.environ, UCX_HANDLE_ERRORS="none",
                           RANKSIGHT_OUTPUT=os.path.join(folder, "run.trace"))
        words = [self.mpiexec, "-n", str(ranks)]
        if any(preloads):
            words += ["-env", "LD_PRELOAD", ":".join(p for p in preloads if p)]
        done = subprocess.run(words + command, env=environment, cwd=folder,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True)
        return done.stdout if done.returncode == 0 else None

    def cost(self):
        """{row: {who: [ns over plain, ...]}}"""
        rows = {row: {} for row in CALLS}
        who = {"floor": self.floor, **self.tracers}
        for _ in range(self.pairs):
            with tempfile.TemporaryDirectory() as folder:
                plain = self.calls("", folder)
            for name, preload in who.items():
                with tempfile.TemporaryDirectory() as folder:
                    figures = self.calls(preload, folder)
                for row, kind in CALLS.items():
                    value = figures[kind] - plain[kind] if figures else None
                    rows[row].setdefault(name, []).append(value)
        return rows

    def calls(self, preload, folder):
        out = self.run(1, [preload], [self.binary("bench_calls"), "100000"],
                       folder)
        if out is None:
            return None
        return {kind: float(value) for kind, value in
                (line.split() for line in out.splitlines())}

    def bytes_left(self, ranks, command):
        left = {}
        for name, preload in self.tracers.items():
            with tempfile.TemporaryDirectory() as folder:
                out = self.run(ranks, [preload, self.beside], command, folder)
                sizes = [os.path.getsize(os.path.join(root, file))
                         for root, _, files in os.walk(folder)
                         for file in files]
            left[name] = [sum(sizes) if out is not None and sizes else None]
        return left

    def whole_run(self, command):
        ratios = {name: [] for name in self.tracers}
        for _ in range(self.pairs):
            plain = self.cpu("", command)
            for name, preload in self.tracers.items():
                with_tracer = self.cpu(preload, command)
                ratios[name].append(with_tracer and with_tracer / plain)
        return ratios

    def cpu(self, preload, command):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with tempfile.TemporaryDirectory() as folder:
            if self.run(2, [preload], command, folder) is None:
                return None
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (after.ru_utime - before.ru_utime + after.ru_stime -
                before.ru_stime)

    def extrapolation(self):
        stencil = [self.binary("stencil2d"), "--periodic", "--steps", "10"]
        with tempfile.TemporaryDirectory() as folder:
            traces = []
            for ranks in (4, 9, 16, 25):
                if self.run(ranks, [self.tracers["ours"], self.beside],
                            stencil, folder) is None:
                    sys.exit("race.py: cannot record the stencil")
                traces.append(os.path.join(folder, f"{ranks}.trace"))
                os.rename(os.path.join(folder, "run.trace"), traces[-1])
            times = []
            for _ in range(self.pairs):
                start = time.monotonic()
                subprocess.run([self.binary("ranksight"), "extrapolate",
                                *traces, "--ranks", "1048576", "-o",
                                os.path.join(folder, "large.trace")],
                               check=True, stdout=subprocess.DEVNULL)
                times.append(time.monotonic() - start)
        return {"ours": times}


def figure(values, form):
    """Median and quartiles, or what became of it."""
    if any(value is None for value in values):
        return "failed"
    text = form(statistics.median(values))
    if len(values) > 1:
        low, _, high = statistics.quantiles(values, n=4, method="inclusive")
        text += f" [{form(low)}, {form(high)}]"
    return text


def print_row(row, found, columns, form):
    cells = []
    ours = found["ours"]
    for name in columns:
        values = found.get(name)
        if values is None:
            cells.append("")
            continue
        text = figure(values, form)
        if name != "ours" and None not in values and None not in ours:
            times = statistics.median(values) / statistics.median(ours)
            text += f", {times:.2f} x"
        cells.append(text)
    print(f"| {row} | " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--peer", action="append", default=[])
    parser.add_argument("--nas")
    parser.add_argument("--pairs", type=int, default=9)
    parser.add_argument("--mpiexec", default="mpiexec.mpich")
    options = parser.parse_args()
    race = Race(options)

    columns = ["floor", *race.tracers]
    print("| | " + " | ".join(columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for row, found in race.cost().items():
        print_row(row, found, columns, lambda v: f"{v:.1f}")

    stencil = [race.binary("stencil2d"), "--periodic", "--size", "32x32"]
    sizes = [("stencil, 64 ranks x 200 steps, bytes", 64,
              stencil + ["--steps", "200"]),
             ("stencil, 8 ranks x 10,000 steps, bytes", 8,
              stencil + ["--steps", "10000"]),
             ("random counts, 4 ranks x 20,000, bytes", 4,
              [race.binary("apps/irregular"), "20000"])]
    for code, size in NAS.items() if options.nas else ():
        program = os.path.join(os.path.abspath(options.nas),
                               f"{code}.{size}.x")
        sizes.append((f"{code}.{size}, 64 ranks, bytes", 64, [program]))
    for row, ranks, command in sizes:
        print_row(row, race.bytes_left(ranks, command), columns,
                  lambda v: f"{v:,}")
    print_row("2-rank stencil, CPU over plain",
              race.whole_run(stencil + ["--steps", "20000"]), columns,
              lambda v: f"{v:.3f}")
    print_row("extrapolate to 1,048,576, s", race.extrapolation(), columns,
              lambda v: f"{v:.2f}")


if __name__ == "__main__":
    main()
