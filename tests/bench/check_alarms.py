#!/usr/bin/env python3
"""How often `ranksight check` calls the same program slower, and how often it
sees 10 % more work.

  check_alarms.py BUILD OUT [--triples 300] [--pairs 10] [--checks 200]
                  [--seconds 0.1] [--ranks 2]

Runs tests/apps/checked.c in turn: as it is, as it is, with 10 % more work, and
again. A check then takes so many pairs that were run behind one another, from
places spread over all of them, so that checks share runs where there are fewer
than checks times pairs. What was recorded is kept in OUT, and more is added.
"""
import argparse
import collections
import json
import pathlib
import subprocess

STEPS = 20


def record(build, path, seconds, ranks, change):
    milliseconds = seconds / STEPS * 1e3
    subprocess.run(
        [build / "bin/ranksight", "record", "--cpu-time", "-o", path, "--",
         "mpiexec.mpich", "-n", str(ranks), build / "bin/apps/checked",
         str(STEPS), str(milliseconds), change],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def check(build, before, after):
    words = [word for path in before for word in ("--against", path)]
    done = subprocess.run([build / "bin/ranksight", "check", *words, *after,
                           "--json"], capture_output=True, text=True)
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--triples", type=int, default=300)
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--checks", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--ranks", type=int, default=2)
    options = parser.parse_args()
    kinds = (("before", "none"), ("same", "none"), ("work", "work"))
    for kind, _ in kinds:
        (options.out / kind).mkdir(parents=True, exist_ok=True)
    for i in range(options.triples):
        for kind, change in kinds:
            path = options.out / kind / f"{i:04}.trace"
            if not path.exists():
                record(options.build, path, options.seconds, options.ranks,
                       change)
    runs = {kind: sorted((options.out / kind).glob("*.trace"))
            for kind, _ in kinds}
    last = min(map(len, runs.values())) - options.pairs
    for kind in ("same", "work"):
        verdicts, ratios = collections.Counter(), []
        for i in range(options.checks):
            first = round(i * last / max(options.checks - 1, 1))
            span = slice(first, first + options.pairs)
            said = check(options.build, runs["before"][span], runs[kind][span])
            time, = said["times"]
            verdicts[time["verdict"]] += 1
            ratios.append(time.get("ratio", 1))
        ratios.sort()
        print(f"{kind}: {dict(verdicts)}, ratios {ratios[0]:.3f} to "
              f"{ratios[-1]:.3f}, middle {ratios[len(ratios) // 2]:.3f}")


if __name__ == "__main__":
    main()
