#!/usr/bin/env bash
# Grids that an argument gave each run, by no rule: what they were can be said, and
# what the target's is has to be. Held against a real run.
. "$(dirname "$0")/lib.sh"
run() {  # FILE RANKS DIMS
  must_record "$1" "$2" "$build/bin/stencil2d" --steps 1 --global 100x90 \
    --dims "$3"
}
run 8.trace 8 2x4
run 12.trace 12 6x2
run 15.trace 15 5x3
run 24.trace 24 3x8
run real.trace 30 5x6
inputs=({8,12,15,24}.trace)
given=(--dims 8.trace=2x4 --dims 12.trace=6x2 --dims 15.trace=5x3
  --dims 24.trace=3x8)

expect_exit 1 "$ranksight" extrapolate "${given[@]}" "${inputs[@]}" --ranks 30 \
  --exact -o no.trace
grep -q "by no rule .*--dims says which grid 30 ranks are" err.txt ||
  fail "$(cat err.txt)"
must_extrapolate "${given[@]}" --dims 5x6 "${inputs[@]}" --ranks 30 \
  -o guess.trace
identical guess.trace real.trace

# Of a run that was laid out another way than somebody says nothing is made.
expect_exit 1 "$ranksight" extrapolate --dims 8.trace=2x4 --dims 12.trace=2x6 \
  --dims 15.trace=5x3 --dims 24.trace=3x8 --dims 5x6 "${inputs[@]}" \
  --ranks 30 --exact -o no.trace
[ ! -e no.trace ] || fail "a trace was written"
expect_exit 2 "$ranksight" extrapolate --dims 8.trace=2x5 "${inputs[@]}" \
  --ranks 30 -o no.trace
grep -q "8.trace has 8 ranks" err.txt || fail "$(cat err.txt)"
expect_exit 2 "$ranksight" extrapolate --dims 9.trace=3x3 "${inputs[@]}" \
  --ranks 30 -o no.trace
grep -q "9.trace is none of the traces" err.txt || fail "$(cat err.txt)"
