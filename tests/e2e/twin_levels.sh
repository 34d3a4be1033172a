#!/usr/bin/env bash
# What each rank gives each by MPI_Alltoallv has no law, nor how often it does,
# and ranks of one such call stand on two lines: a twin is made in which each
# takes what it is given.
. "$(dirname "$0")/lib.sh"
must_make_twin 4,6,8,12 24 "$apps/levels"
grep -q '^estimated: MPI_Alltoallv ' report.txt ||
  fail "not marked: $(cat report.txt)"
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
