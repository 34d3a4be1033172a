#!/usr/bin/env python3
"""Ours beside other tracers, on this machine, in one go.

  race.py BUILD [--peer NAME=LIB[:LIB...][,VARIABLE=VALUE...]]...
          [--nas FOLDER] [--pairs N] [--rounds N] [--parts PART,...]

A peer is what is preloaded into a run to trace it, with what has to be set for
it; what it leaves in the working folder is its trace. Under `setarch -R`
programs lie at fixed addresses, which tracers need that compare those of ranks.
Figures of time are taken in turns, --pairs of them: without any tracer, with
the floor (a wrapper that reads the time-stamp counter twice), with ours, with
each peer. Prints Markdown: medians, in brackets the quartiles, and each tracer's
figure over ours. "failed" stands where a program did not end as it does without
the tracer, or not within LIMIT_S. --parts are all of these or some:

  calls          cost of a call: thread CPU time over plain, one rank to itself
  bytes          all files left: a periodic 2-D stencil, counts that never
                 repeat, and with --nas the class S binaries of FOLDER
                 (cg.S.x ...; lu, bt, sp in class W) on 64 ranks
  finalize       CPU time of rank 0 in MPI_Finalize, without MPI's own, once
                 all ranks have come to it; the same programs on 64 ranks,
                 --rounds times
  valid          whether programs print what they print without a tracer
  crashes        bytes left by a run that is aborted or killed; ours cuts an
                 epoch every 0.2 s, which no peer knows
  whole          CPU time of all processes of a 2-rank stencil, over plain
  extrapolation  wall time of the command to 1,048,576 ranks; ours alone
"""
import argparse
import dataclasses
import os
import re
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
# Programs of 4 ranks that trip tracers.
VALID = {"receives from any source": ["farm"],
         "calls of two threads": ["threaded"],
         "all kinds of calls": ["all_calls"],
         "one-sided calls": ["one_sided"],
         "Fortran by mpi_f08": ["fortran_f08"]}
CRASHES = {"left after MPI_Abort, bytes": "abort",
           "left after kill -9, bytes": "kill"}
LIMIT_S = 120


@dataclasses.dataclass
class Tracer:
    preload: str = ""
    settings: dict = dataclasses.field(default_factory=dict)


def peer(argument):
    """(name, Tracer) of NAME=LIB[:LIB...][,VARIABLE=VALUE...]"""
    name, _, words = argument.partition("=")
    preload, *settings = words.split(",")
    for library in preload.split(":"):
        if not os.path.isfile(library):
            sys.exit(f"race.py: no such library: {library}")
    preload = ":".join(map(os.path.abspath, preload.split(":")))
    return name, Tracer(preload, dict(s.split("=", 1) for s in settings))


class Race:
    def __init__(self, options):
        self.build = os.path.abspath(options.build)
        self.pairs, self.rounds = options.pairs, options.rounds
        self.mpiexec = options.mpiexec
        self.beside = self.library("libyield_preload.so")
        self.tracers = {"ours": Tracer(self.library("libranksight.so")),
                        **dict(map(peer, options.peer))}
        self.floor = Tracer(self.library("libbench_floor.so"))

    def library(self, name):
        return os.path.join(self.build, "lib", name)

    def binary(self, name):
        return os.path.join(self.build, "bin", name)

    def run(self, ranks, tracer, command, folder, beside=""):
        """(ended as it should, standard output)"""
        environment = dict(os.environ, UCX_HANDLE_ERRORS="none",
                           RANKSIGHT_OUTPUT=os.path.join(folder, "run.trace"),
                           **tracer.settings)
        words = [self.mpiexec, "-n", str(ranks)]
        preloads = [p for p in (tracer.preload, beside) if p]
        if preloads:
            words += ["-env", "LD_PRELOAD", ":".join(preloads)]
        process = subprocess.Popen(words + command, env=environment, cwd=folder,
                                   stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True,
                                   errors="replace")
        try:
            out, _ = process.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            process.terminate()  # mpiexec takes its ranks along
            process.communicate()
            return False, ""
        return process.returncode == 0, out

    def in_turn(self, measure, plain, tracers):
        """{who: [measure with it, ...]}, each beside a run without any"""
        found = {name: [] for name in tracers}
        for _ in range(self.pairs):
            without = measure(Tracer())
            for name, tracer in tracers.items():
                with_it = measure(tracer)
                found[name].append(with_it and plain(with_it, without))
        return found

    def cost(self):
        """{row: {who: [ns over plain, ...]}}"""
        found = self.in_turn(
            self.calls, lambda ours, plain: {k: ours[k] - plain[k]
                                             for k in plain},
            {"floor": self.floor, **self.tracers})
        return {row: {name: [v and v[kind] for v in values]
                      for name, values in found.items()}
                for row, kind in CALLS.items()}

    def calls(self, tracer):
        with tempfile.TemporaryDirectory() as folder:
            ended, out = self.run(1, tracer, [self.binary("bench_calls"),
                                              "100000", *CALLS.values()],
                                  folder)
        lines = (line.split() for line in out.splitlines())
        found = {words[0]: float(words[1]) for words in lines
                 if len(words) == 2 and words[0] in CALLS.values()}
        return found if ended and len(found) == len(CALLS) else None

    def traced(self, ranks, tracer, command):
        """(ended as it should, standard output, bytes of all files left)"""
        with tempfile.TemporaryDirectory() as folder:
            ended, out = self.run(ranks, tracer, command, folder, self.beside)
            return ended, out, sum(os.path.getsize(os.path.join(root, file))
                                   for root, _, files in os.walk(folder)
                                   for file in files)

    def bytes_left(self, ranks, command):
        left = {}
        for name, tracer in self.tracers.items():
            ended, _, size = self.traced(ranks, tracer, command)
            left[name] = [size if ended and size else None]
        return left

    def finalize(self, ranks, command):
        """{who: [ms, ...]}. What is preloaded for that leaves its mark in call
        paths, so that bytes are weighed without."""
        ends = {name: [] for name in self.tracers}
        for _ in range(self.rounds):
            for name, tracer in self.tracers.items():
                around = ":".join([self.library("libfinalize_before.so"),
                                   tracer.preload,
                                   self.library("libfinalize_after.so")])
                ended, out, size = self.traced(
                    ranks, Tracer(around, tracer.settings), command)
                end = re.search(r"^finalize (\d+)$", out, re.MULTILINE)
                ends[name].append(int(end[1]) / 1e3
                                  if ended and size and end else None)
        return ends

    def left_by_crash(self, command):
        ours = Tracer(self.tracers["ours"].preload, {"RANKSIGHT_EPOCH": "0.2"})
        return {name: [self.traced(4, tracer, command)[2]]
                for name, tracer in {**self.tracers, "ours": ours}.items()}

    def valid(self, command):
        """{who: [True, or None where it failed]}"""
        with tempfile.TemporaryDirectory() as folder:
            ended, said = self.run(4, Tracer(), command, folder)
        if not ended:
            sys.exit(f"race.py: {command[0]} does not run")
        same = {}
        for name, tracer in self.tracers.items():
            with tempfile.TemporaryDirectory() as folder:
                ended, out = self.run(4, tracer, command, folder)
            # Tracers print lines of their own beside the program's.
            kept = set(said.splitlines()) <= set(out.splitlines())
            same[name] = [True if ended and kept else None]
        return same

    def whole_run(self, command):
        return self.in_turn(lambda tracer: self.cpu(tracer, command),
                            lambda ours, plain: ours / plain, self.tracers)

    def cpu(self, tracer, command):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with tempfile.TemporaryDirectory() as folder:
            if not self.run(2, tracer, command, folder)[0]:
                return None
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (after.ru_utime - before.ru_utime + after.ru_stime -
                before.ru_stime)

    def extrapolation(self):
        stencil = [self.binary("stencil2d"), "--periodic", "--steps", "10"]
        with tempfile.TemporaryDirectory() as folder:
            traces = []
            for ranks in (4, 9, 16, 25):
                if not self.run(ranks, self.tracers["ours"], stencil, folder,
                                self.beside)[0]:
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


def print_row(row, found, columns, form, over_ours=True):
    cells = []
    ours = found["ours"]
    for name in columns:
        values = found.get(name)
        if values is None:
            cells.append("")
            continue
        text = figure(values, form)
        if over_ours and name != "ours" and None not in [*values, *ours]:
            times = statistics.median(values) / statistics.median(ours)
            # A call that it does not see costs nothing, give or take.
            text += f", {times:,.2f} x" if times > 0 else ""
        cells.append(text)
    print(f"| {row} | " + " | ".join(cells) + " |", flush=True)


def traces(race, nas):
    """(row, ranks, command) whose traces are weighed"""
    stencil = [race.binary("stencil2d"), "--periodic", "--size", "32x32"]
    yield "stencil, 64 ranks x 200 steps", 64, stencil + ["--steps", "200"]
    yield "stencil, 8 ranks x 10,000 steps", 8, stencil + ["--steps", "10000"]
    yield ("random counts, 4 ranks x 20,000", 4,
           [race.binary("apps/irregular"), "20000", "amounts"])
    for code, size in NAS.items() if nas else ():
        yield (f"{code}.{size}, 64 ranks", 64,
               [os.path.join(os.path.abspath(nas), f"{code}.{size}.x")])


def calls(race, columns, options):
    for row, found in race.cost().items():
        print_row(row, found, columns, lambda v: f"{v:.1f}")


def weigh(race, columns, options):
    for row, ranks, command in traces(race, options.nas):
        print_row(row + ", bytes", race.bytes_left(ranks, command), columns,
                  lambda v: f"{v:,}")


def finalize(race, columns, options):
    for row, ranks, command in traces(race, options.nas):
        if ranks == 64:
            print_row(row + ", rank 0 in MPI_Finalize, ms",
                      race.finalize(ranks, command), columns,
                      lambda v: f"{v:.1f}")


def valid(race, columns, options):
    for row, (app, *words) in VALID.items():
        print_row(row, race.valid([race.binary(f"apps/{app}"), *words]),
                  columns, lambda v: "as without", over_ours=False)


def crashes(race, columns, options):
    for row, how in CRASHES.items():
        crash = [race.binary("apps/crash"), how, "800000", "600000"]
        print_row(row, race.left_by_crash(crash), columns,
                  lambda v: f"{v:,}", over_ours=False)


def whole(race, columns, options):
    print_row("2-rank stencil, CPU over plain",
              race.whole_run([race.binary("stencil2d"), "--periodic", "--size",
                              "32x32", "--steps", "20000"]), columns,
              lambda v: f"{v:.3f}")


def extrapolation(race, columns, options):
    print_row("extrapolate to 1,048,576, s", race.extrapolation(), columns,
              lambda v: f"{v:.2f}")


PARTS = {"calls": calls, "bytes": weigh, "finalize": finalize, "valid": valid,
         "crashes": crashes, "whole": whole, "extrapolation": extrapolation}


def parts(argument):
    names = argument.split(",")
    for name in names:
        if name not in PARTS:
            raise argparse.ArgumentTypeError(
                f"no part {name}, but {', '.join(PARTS)}")
    return names


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--peer", action="append", default=[])
    parser.add_argument("--nas")
    parser.add_argument("--pairs", type=int, default=9)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--parts", type=parts, default=list(PARTS))
    parser.add_argument("--mpiexec", default="mpiexec.mpich")
    options = parser.parse_args()
    race = Race(options)

    columns = ["floor", *race.tracers]
    print("| | " + " | ".join(columns) + " |")
    print("|---" * (len(columns) + 1) + "|", flush=True)
    for part in options.parts:
        PARTS[part](race, columns, options)


if __name__ == "__main__":
    main()
