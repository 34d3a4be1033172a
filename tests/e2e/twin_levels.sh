#!/usr/bin/env bash
# What each rank gives each by MPI_Alltoallv has no law, nor how often it does,
# and ranks of one such call stand on two lines: a twin is made in which each
# takes what it is given.
. "$(dirname "$0")/lib.sh"
record_sizes 4,6,8,12,16 "$apps/levels"
must_extrapolate "${inputs[@]}" --ranks 24 -o twin.trace
grep -q '^estimated: MPI_Alltoallv ' report.txt ||
  fail "not marked: $(cat report.txt)"
"$ranksight" replay twin.trace --check >check.txt || fail "$(cat check.txt)"
LD_PRELOAD=$yield_preload expect_exit 0 "$ranksight" replay twin.trace \
  --no-compute --launcher "$launcher -n {ranks}" --stall 600
for rank in {0..23}; do
  "$ranksight" show twin.trace --events --rank "$rank" |
    grep '^MPI_Alltoallv' >"lists.$rank" || fail "rank $rank"
done
python3 - <<'END' || fail "what is given is not what is taken"
import re
ranks = [[[int(v) for v in re.search(r" bytes=(\d+) rbytes=(\d+)", l).groups()]
          for l in open(f"lists.{r}")] for r in range(24)]
for of_call in zip(*ranks, strict=True):
    assert sum(s for s, _ in of_call) == sum(t for _, t in of_call), of_call
END
