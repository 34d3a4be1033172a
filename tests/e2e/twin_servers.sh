#!/usr/bin/env bash
# Some ranks alone open a file and write to it, and how many these are has no
# law that the runs show: a twin is made, and has about as much of it.
. "$(dirname "$0")/lib.sh"
must_make_twin 4,6,8,12,16 24 "$apps/io_servers"
expect_exit 1 "$ranksight" extrapolate "${inputs[@]}" --ranks 24 --exact \
  -o exact.trace
"$ranksight" stats twin.trace --json >twin.json || fail "stats"
python3 - <<'END' || fail "unlike a run: $(cat twin.json)"
import json
calls = {c["call"]: c for c in json.load(open("twin.json"))["calls"]}
# Two to four of 24 ranks, once each; 20 to 22 of them send four times.
assert 2 <= calls["MPI_File_open"]["count"] <= 4
assert calls["MPI_File_open"]["count"] == calls["MPI_File_close"]["count"]
assert 80 <= calls["MPI_Send"]["count"] <= 88
# 9,600 numbers in each of four steps.
assert abs(calls["MPI_Send"]["sent_bytes"] - 4 * 9600 * 8) < 0.3 * 4 * 9600 * 8
END
