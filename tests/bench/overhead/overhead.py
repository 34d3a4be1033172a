#!/usr/bin/env python3
"""Thread CPU nanoseconds that a preload adds to an MPI call.

Runs the program plain, with the floor wrapper and with the runtime, in turn;
prints the median over the pairs of the difference to the plain run beside it.
With --beside the program does all three in turns itself, within each run.
"""
import argparse
import collections
import os
import statistics
import subprocess
import tempfile


def measure(options, preload, folder):
    environment = dict(os.environ, UCX_HANDLE_ERRORS="none")
    environment["RANKSIGHT_OUTPUT"] = os.path.join(folder, "bench.trace")
    command = [options.mpiexec, "-n", "1"]
    if preload:
        command += ["-env", "LD_PRELOAD", preload]
    command += [options.program, str(options.calls)]
    command += ["beside"] if options.beside else []
    out = subprocess.run(command, env=environment, check=True,
                         capture_output=True, text=True).stdout
    values = (line.split() for line in out.splitlines())
    return {kind: [float(v) for v in rest] for kind, *rest in values}


def in_turn(options, folder):
    """Yields (kind, runtime's, floor's, plain) for each kind."""
    if options.beside:
        for kind, figures in measure(options, options.ours, folder).items():
            yield kind, *figures
        return
    plain, floor, ours = (measure(options, preload, folder) for preload in
                          (None, options.floor, options.ours))
    for kind in plain:
        yield kind, *ours[kind], *floor[kind], *plain[kind]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("mpiexec", "program", "floor", "ours"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--pairs", type=int, default=11)
    parser.add_argument("--calls", type=int, default=300000)
    parser.add_argument("--beside", action="store_true")
    options = parser.parse_args()

    added = collections.defaultdict(list)
    plain = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.pairs):
            for kind, ours, floor, base in in_turn(options, folder):
                plain[kind].append(base)
                added["floor", kind].append(floor - base)
                added["ours", kind].append(ours - base)
        if not os.path.getsize(os.path.join(folder, "bench.trace")):
            raise SystemExit("the runtime left no trace")

    middle = statistics.median
    print(f"thread CPU ns a call, medians of {options.pairs} pairs")
    print(f"{'':18}{'plain':>10}{'floor +':>10}{'ours +':>10}{'ratio':>8}")
    for kind in plain:
        floor, ours = middle(added["floor", kind]), middle(added["ours", kind])
        ratio = f"{ours / floor:8.2f}" if floor > 0 else "       -"
        print(f"{kind:18}{middle(plain[kind]):10.1f}{floor:10.1f}"
              f"{ours:10.1f}{ratio}")


if __name__ == "__main__":
    main()
