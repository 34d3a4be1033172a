#!/usr/bin/env bash
# What-if replays: messages in place of MPI_Alltoall, seen by a recorder, and
# the options that are refused.
. "$(dirname "$0")/lib.sh"
must_record run.trace 4 "$apps/all_calls"
LD_PRELOAD=$yield_preload "$ranksight" replay run.trace --no-compute \
  --launcher "$launcher -n {ranks}" --exchange alltoall=p2p --stall 50 \
  --record again.trace >replay.out 2>&1 || fail "replay: $(cat replay.out)"
for trace in run again; do
  "$ranksight" stats $trace.trace --json >$trace.json || fail "stats"
done
python3 - <<'PY' || fail "calls in place of MPI_Alltoall"
import json
run, again = ({c["call"]: c["count"] for c in json.load(open(f + ".json"))["calls"]}
              for f in ("run", "again"))
alltoalls = run["MPI_Alltoall"]
assert alltoalls > 0 and "MPI_Alltoall" not in again, again
# Every rank's call becomes a message each way to each of its group; more than
# one rank is in each, at most 4.
more = again["MPI_Isend"] - run["MPI_Isend"]
assert alltoalls < more <= 4 * alltoalls, (alltoalls, more)
assert again["MPI_Irecv"] - run["MPI_Irecv"] == more
assert again["MPI_Waitall"] - run.get("MPI_Waitall", 0) == alltoalls
PY
replays() {
  "$ranksight" replay run.trace --launcher "$launcher -n {ranks}" "$@"
}
export LD_PRELOAD=$yield_preload
expect_exit 2 replays --exchange bcast=p2p
expect_exit 2 replays --site-scale nowhere=2
expect_exit 2 replays --site-scale all_calls=-1
expect_exit 2 replays --map some.map
replays --site-scale all_calls=0.5 >/dev/null || fail "--site-scale"
