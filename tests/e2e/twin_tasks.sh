#!/usr/bin/env bash
# Who gets the next task hangs on who has done one, and rank 0 takes results
# from any source: a twin is made, in which each task has one answer.
. "$(dirname "$0")/lib.sh"
must_make_twin 4,6,8,12,16 24 "$apps/tasks"
for rank in {0..23}; do
  "$ranksight" show twin.trace --events --rank "$rank" >"calls.$rank" ||
    fail "rank $rank"
done
python3 - <<'END' || fail "unlike a run"
import re
calls = [open(f"calls.{r}").read() for r in range(24)]
# Of 90 tasks.
assert 72 <= len(re.findall("MPI_Send .*tag=1", calls[0])) <= 108
for r, of in enumerate(calls[1:], 1):
    results = len(re.findall("MPI_Send .*tag=2", of))
    assert results == len(re.findall(rf"MPI_Send .*peer={r} tag=1", calls[0]))
END
