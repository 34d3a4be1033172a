#!/usr/bin/env bash
# Messages in place of collectives on more communicators than an MPI library has
# at once: what the replay makes for them goes with them, also in its record.
# Where no more can be made the replay ends and says why.
. "$(dirname "$0")/lib.sh"
export LD_PRELOAD=$yield_preload
replays() {
  "$ranksight" replay "$@" --no-compute --stall 600 --launcher "$launcher"
}
must_record run.trace 2 "$apps/copies" 2100
expect_exit 0 replays run.trace --exchange all=p2p --record again.trace
must_be_complete again.trace
"$ranksight" stats again.trace --json >stats.json || fail "stats"
python3 - <<'PYTHON' || fail "calls of the record"
import json
calls = {c["call"]: c["count"] for c in json.load(open("stats.json"))["calls"]}
assert "MPI_Allreduce" not in calls, calls
assert calls["MPI_Send"] + calls["MPI_Isend"] == 2 * 2100, calls
assert calls["MPI_Recv"] + calls["MPI_Irecv"] == 2 * 2100, calls
assert calls["MPI_Comm_dup"] == calls["MPI_Comm_free"] == 4 * 2100, calls
PYTHON
expect_exit 0 replays again.trace

must_record kept.trace 2 "$apps/copies" 1500 kept
expect_exit 0 replays kept.trace
expect_exit 3 replays kept.trace --exchange all=p2p
grep -q "MPI_Allreduce.*no communicator for --exchange" err.txt || fail "$(cat err.txt)"
