#!/usr/bin/env python3
"""CPU time of a whole run with the runtime, over the same run without.

Runs the command plain and with the runtime in turn and adds up user and system
time of all its processes, launcher included; prints the medians and the least
of both, and their ratios. Ranks that wait spin, so on shared cores only the
least means something; with --core all share one core, and with a library that
yields where MPI would spin (--beside) what they wait costs next to nothing.
"""
import argparse
import os
import resource
import statistics
import subprocess
import tempfile


def cpu_seconds(command, environment):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environment, check=True,
                   stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime +
            after.ru_stime - before.ru_stime)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ours", required=True, help="libranksight.so")
    parser.add_argument("--beside", default="",
                        help="what to preload in both, e.g. the yielding")
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--mpiexec", default="mpiexec.mpich")
    parser.add_argument("--ranks", default="2")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    parser.add_argument("--core", type=int, help="use this core alone")
    options = parser.parse_args()
    if options.core is not None:
        os.sched_setaffinity(0, {options.core})

    plain, ours = [], []
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, UCX_HANDLE_ERRORS="none")
        environment["RANKSIGHT_OUTPUT"] = os.path.join(folder, "run.trace")
        for _ in range(options.pairs):
            for preload, times in (("", plain), (options.ours, ours)):
                preloads = ":".join(p for p in (preload, options.beside) if p)
                command = [options.mpiexec, "-n", options.ranks]
                if preloads:
                    command += ["-env", "LD_PRELOAD", preloads]
                times.append(cpu_seconds(command + options.command,
                                         environment))
        if not os.path.getsize(environment["RANKSIGHT_OUTPUT"]):
            raise SystemExit("the runtime left no trace")
    for name, of in (("median", statistics.median), ("least", min)):
        print(f"{name:8}plain {of(plain):8.3f} s   with the runtime "
              f"{of(ours):8.3f} s   ratio {of(ours) / of(plain):.3f}")


if __name__ == "__main__":
    main()
