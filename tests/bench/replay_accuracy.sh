#!/usr/bin/env bash
# replay_accuracy.sh [--generated] BUILD RANKS ROUNDS PROGRAM...: how long the
# replay of a run takes against the run, or the C program generated from its
# trace, recorded as it was. Each round records a run and replays its trace at
# once; a program is one word, its arguments behind it in quotes. Prints a line
# for each: median of the runs, of the replays, of their ratios, and the ratios'
# least and greatest. Give each rank a core of its own.
set -euo pipefail
again=replayed
if [ "$1" = --generated ]; then
  again=generated
  shift
fi
build=$(cd "$1" && pwd)
. "$(dirname "$0")/seconds.sh"
ranks=$2 rounds=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Each prints what the two runs took, in JSON.
replayed() { "$build/bin/ranksight" replay run.trace --json; }
generated() {
  rm -rf program
  "$build/bin/ranksight" generate run.trace --to c -o program >/dev/null
  make -s -C program MPICC=mpicc.mpich
  "$build/bin/ranksight" record -o again.trace -- \
    mpiexec.mpich -n "$ranks" "$(find program -type f -executable)" >/dev/null
  awk -v run="$(elapsed run.trace)" -v own="$(elapsed again.trace)" 'BEGIN {
    printf "{\"trace_seconds\": %.6f, \"replayed_seconds\": %.6f, ", run, own
    printf "\"ratio\": %.6f}\n", own / run }'
}

echo "| program | ranks | run, s | $again, s | ratio | least | most |"
echo "|---|---|---|---|---|---|---|"
for program in "$@"; do
  : >ratios
  for ((i = 0; i < rounds; ++i)); do
    # shellcheck disable=SC2086
    "$build/bin/ranksight" record -o run.trace -- \
      mpiexec.mpich -n "$ranks" $program >/dev/null
    $again >>ratios
  done
  python3 - "$(basename "${program%% *}")" "$ranks" <<'PY'
import json, statistics, sys
rows = [json.loads(line) for line in open("ratios")]
middle = lambda key: statistics.median(r[key] for r in rows)
ratios = [r["ratio"] for r in rows]
print(f"| {sys.argv[1]} | {sys.argv[2]} | {middle('trace_seconds'):.3f} | "
      f"{middle('replayed_seconds'):.3f} | {middle('ratio'):.3f} | "
      f"{min(ratios):.3f} | {max(ratios):.3f} |")
PY
done
