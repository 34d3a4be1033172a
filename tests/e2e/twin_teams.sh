#!/usr/bin/env bash
# The first of a team, which no law tells, scatters and gathers lists that follow
# none: in a twin the root's list is what its members give and take.
. "$(dirname "$0")/lib.sh"
must_make_twin 4,6,8,12,16 24 "$apps/teams"
must_record real.trace 24 "$apps/teams"
must_count twin real
python3 - <<'END' || fail "unlike a run"
import json
def given(file):
    return sum(c["sent_bytes"] for c in json.load(open(file))["calls"]
               if c["call"] == "MPI_Gatherv")
twin, real = given("twin.json"), given("real.json")
assert real > 0 and abs(twin - real) <= 0.1 * real, (twin, real)
END
# Which ranks are in teams has a law, the teams themselves have none.
must_make_twin 4,6,8,12,16 24 "$apps/teams" even
