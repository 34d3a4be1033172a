#!/usr/bin/env bash
# The main job in one line.
. "$(dirname "$0")/lib.sh"
export LD_PRELOAD=$yield_preload
"$ranksight" study --ranks 4,9,16,25 --forecast 64,100,1024 --extrapolate 36 \
  --launcher "$launcher -n {ranks}" -- \
  "$examples/stencil2d" --size 8x8 --steps 20 >study.out 2>study.err
# 1 where the machine is so busy that all points are refused.
[ $? -le 1 ] || {
  tail -n 30 study.out study.err >&2
  fail "study"
}
for ranks in 64 100 1024; do
  grep -qw -- "$ranks" study.out || {
    cat study.out >&2
    fail "no forecast for $ranks"
  }
done
guess=$(find . -name '*36*.trace' | head -1)
[ -n "$guess" ] || fail "study left no trace at 36: $(find . -type f)"
must_record real.trace 36 "$examples/stencil2d" --size 8x8 --steps 20
identical "$guess" real.trace
report=ranksight-study/report.html
grep -q 'window.ranksightReport' "$report" || fail "no report page"
! grep -qE '(src|href)="' "$report" || fail "the report is not self-contained"

# Sizes that come again are runs of their own; what cannot be written is said
# before they are made, and is no refusal.
again() {
  "$ranksight" study --folder again --launcher "$launcher -n {ranks}" "$@" \
    -- "$examples/stencil2d" --size 8x8 --steps 5
}
expect_exit 1 again --ranks 2,2 --repeat 2 --forecast 64
[ "$(find again -name 'stencil2d.2.*trace' | wc -l)" = 4 ] ||
  fail "not four traces: $(ls again)"
rm -r again
mkdir again
for output in again none/such.trace; do
  expect_exit 4 again --ranks 4,9,16 --extrapolate 36 -o "$output" --json
  grep -q "$output: " err.txt && [ ! -s out.txt ] || fail "$(cat err.txt)"
  [ -z "$(ls again)" ] || fail "runs were made for nothing"
done
expect_exit 2 again --ranks 4 --forecast 64 -o 64.trace
expect_exit 2 again --ranks 4 --forecast 64 --topology fat-tree:4

# A network that is named reaches the walk: one that the runs do not fit on.
"$ranksight" study --folder links --launcher "$launcher -n {ranks}" --json \
  --ranks 4,9,16 --forecast 25 --dragonfly 2x2x2 \
  -- "$examples/stencil2d" --size 8x8 --steps 5 >links.json
[ $? -le 1 ] || fail "a study on links"
python3 - <<'PY' || fail "$(cat links.json)"
import json
(point,) = json.load(open("links.json"))["forecast"]["points"]
assert "no places for 9 ranks" in point["basis"], point
PY
grep -q -e '--dragonfly 2x2x2' links/report.html ||
  fail "the report does not name the network"

# What cannot be stored ends a study at once, however patient it is.
printf '%s\n' '#!/bin/sh' 'rm -r store/runs && touch store/runs' 'exec "$@"' >spoil
chmod +x spoil
mkdir refused
"$ranksight" study --folder refused --store store --patience 86400 \
  --ranks 2 --forecast 64 --launcher "./spoil $launcher -n {ranks}" -- \
  "$examples/stencil2d" --size 8x8 --steps 5 >out.txt 2>err.txt
[ $? = 4 ] || fail "a refused run: $(cat out.txt err.txt)"
grep -q 'the run on 2 ranks did not reach the side-car: .*; its trace is ' \
  err.txt || fail "$(cat err.txt)"
mkdir again/report.txt
expect_exit 4 again --ranks 4 --forecast 64 --json
[ ! -s out.txt ] || fail "a document and an error"
