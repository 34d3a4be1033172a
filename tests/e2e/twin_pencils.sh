#!/usr/bin/env bash
# Blocks that ranks give one another have datatypes without a law, and laws of
# what some give do not go together with what others take: a twin is made in
# which they do, with as many bytes as a real run has.
. "$(dirname "$0")/lib.sh"
must_make_twin 4,6,8,12,16 24 "$apps/pencils"
[ "$(grep -c '^estimated: MPI_Alltoallw ' report.txt)" -eq 4 ] ||
  fail "not marked: $(cat report.txt)"
must_record real.trace 24 "$apps/pencils"
must_count twin real
python3 - <<'END' || fail "unlike a run"
import json
def given(file):
    return sum(c["sent_bytes"] for c in json.load(open(file))["calls"]
               if c["call"] == "MPI_Alltoallw")
twin, real = given("twin.json"), given("real.json")
assert real > 0 and abs(twin - real) <= 0.05 * real, (twin, real)
END
