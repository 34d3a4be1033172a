#!/usr/bin/env bash
# Whether neighbours swap what they have follows no law: a twin is made in which
# no rank sends and receives in one call while its partner waits in another.
. "$(dirname "$0")/lib.sh"
must_make_twin 4,6,8,12,16 24 "$apps/swaps"
"$ranksight" stats twin.trace --json >twin.json || fail "stats"
python3 - <<'END' || fail "unlike a run: $(cat twin.json)"
import json
calls = {c["call"]: c for c in json.load(open("twin.json"))["calls"]}
# 12 pairs in each of 20 rounds, and 11 in each other.
pairs = 20 * 12 + 20 * 11
assert abs(calls["MPI_Send"]["count"] - pairs) < 0.25 * pairs
assert calls["MPI_Send"]["count"] == calls["MPI_Recv"]["count"]
END
