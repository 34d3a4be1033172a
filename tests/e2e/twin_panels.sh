#!/usr/bin/env bash
# Who gives a panel to its row and its column, and how often, has no law, and
# rows and columns are parts of a grid: a twin is made in which all of a row
# take from one of it.
. "$(dirname "$0")/lib.sh"
must_make_twin 4,9,16,25 36 "$apps/uneven_panels"
for rank in {0..35}; do
  "$ranksight" show twin.trace --events --rank "$rank" |
    grep '^MPI_Bcast' >"calls.$rank" || fail "rank $rank"
done
python3 - <<'END' || fail "no rows and columns"
import re
for r in range(36):
    # First of its row, then of its column.
    calls = re.findall(r"comm=(\d+) .*root=(\d+)", open(f"calls.{r}").read())
    assert len(calls) >= 20, r
    row = min(int(comm) for comm, _ in calls)
    for comm, root in calls:
        root = int(root)
        assert (root // 6 == r // 6 if int(comm) == row
                else root % 6 == r % 6), (r, comm, root)
END
