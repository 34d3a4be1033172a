#!/usr/bin/env bash
# simulate_limit.sh: what a simulation takes of this machine is told beforehand and kept to: the
# same result within a limit, none beyond it, and nothing left behind.
. "$(dirname "$0")/lib.sh"
must_record real.trace 16 "$examples/stencil2d" --size 8x8 --steps 20 --periodic
torus=(--torus 4x2x2)
expect_exit 0 "$ranksight" simulate real.trace "${torus[@]}" --json
mv out.txt plain.json
expect_exit 0 "$ranksight" simulate real.trace "${torus[@]}" --json --limit 1000
cmp out.txt plain.json || fail "a limit that is not reached changes the result"

# Beyond it: exit 1 with the reason, no document, and a file that is there stays.
cp real.trace kept.trace
touch told.txt
ls -A >before
beyond() {  # OPTION...
  expect_exit 1 "$ranksight" simulate real.trace "${torus[@]}" "$@" \
    --engine simgrid
  grep -v '^ranksight: simulating takes' err.txt >told.txt
  grep -q -- '^ranksight: the simulation .*--limit' told.txt ||
    fail "$*: $(cat err.txt)"
  [ "$(wc -l <told.txt)" = 1 ] && [ ! -s out.txt ] ||
    fail "$*: $(cat out.txt err.txt)"
}
mkdir temporary
export TMPDIR=$PWD/temporary
beyond --limit 0.000001 --json
beyond --limit 0.000001 --record kept.trace
beyond --limit 0.000001 --record new.trace
beyond --limit 0.000001 --vary compute-scale=1,2 --json
cmp real.trace kept.trace || fail "a file of before is another now"
# A start that never ends and listens to nobody.
printf '#!/bin/sh\ntrap "" XCPU TERM; while :; do :; done\n' >spins
chmod +x spins
beyond --limit 1 --smpirun ./spins
grep -q 'before its first event' err.txt || fail "$(cat err.txt)"
rm spins
[ -z "$(ls -A temporary)" ] || fail "left behind: $(ls -A temporary)"
rmdir temporary
unset TMPDIR
ls -A | diff before - || fail "files are left or gone"
# Where it is not to be SimGrid, ranks are walked over the links, and it is said.
expect_exit 0 "$ranksight" simulate real.trace "${torus[@]}" --limit 0.000001
grep -q -- 'than --limit 1e-06; walking the ranks over the links instead' err.txt &&
  grep -q '^busiest link of torus:4x2x2: ' out.txt || fail "$(cat err.txt out.txt)"
# Other trouble is not the limit's.
printf '#!/bin/sh\nkill -KILL $$\n' >dies
chmod +x dies
expect_exit 4 "$ranksight" simulate real.trace "${torus[@]}" --limit 1000 \
  --smpirun ./dies
expect_exit 4 "$ranksight" simulate real.trace "${torus[@]}" --limit 1000 \
  --smpirun none
grep -q '^ranksight: none ended with status 127: sh: .*none' err.txt ||
  fail "$(cat err.txt)"

# What all of it takes: measured where that is soon done, else estimated.
must_record long.trace 1 "$examples/stencil2d" --size 4x4 --steps 200000 --periodic
for trace in real long; do
  expect_exit 0 "$ranksight" simulate "$trace.trace" --torus 4x2x2 --estimate \
    --json
  mv out.txt "$trace.json"
  "$ranksight" show "$trace.trace" --json >shown.json || fail "show"
  python3 - "$trace.json" <<'PY' || fail "estimate of $trace: $(cat "$trace.json")"
import json, sys
told, shown = json.load(open(sys.argv[1])), json.load(open("shown.json"))
part = told["measured"]
assert told["ranks"] == shown["ranks"], shown
assert told["events"] == shown["calls"], shown
assert told["memory_bytes"] > 1e6
assert told["estimate"] == (part["share"] < 1)
assert 0 < part["start_seconds"] < part["processor_seconds"]
assert told["processor_seconds"] >= part["processor_seconds"]
if told["estimate"]:
    calls = part["processor_seconds"] - part["start_seconds"]
    assert calls >= 2
PY
done
expect_exit 0 "$ranksight" simulate long.trace --torus 4x2x2 --estimate
grep -q 'of processor time and .*B of memory .*for 1 rank, ' out.txt ||
  fail "$(cat out.txt)"
