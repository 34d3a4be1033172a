#!/usr/bin/env bash
# The main job in one line.
. "$(dirname "$0")/lib.sh"
export LD_PRELOAD=$yield_preload
"$ranksight" study --ranks 4,9,16,25 --forecast 64,100,1024 --extrapolate 36 \
  --launcher "$launcher -n {ranks}" -- \
  "$examples/stencil2d" --size 8x8 --steps 20 >study.out 2>study.err || {
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
