#!/usr/bin/env bash
# Rings within parts of the ranks, which no law tells: in a twin they stay within
# the parts that are drawn, and are as many messages as in a real run.
. "$(dirname "$0")/lib.sh"
must_make_twin 4,6,8,12,16 24 "$apps/members"
grep '^estimated: MPI_Sendrecv ' report.txt >/dev/null ||
  fail "not marked: $(cat report.txt)"
must_record real.trace 24 "$apps/members"
must_count twin real
python3 - <<'END' || fail "unlike a run"
import json
def sent(file):
    return next((c["count"], c["sent_bytes"])
                for c in json.load(open(file))["calls"]
                if c["call"] == "MPI_Sendrecv")
twin, real = sent("twin.json"), sent("real.json")
assert twin == real and real[0] > 0, (twin, real)
END
