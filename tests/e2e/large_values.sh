#!/usr/bin/env bash
# large_values.sh: values that no trace holds are left out of it, and counted;
# all else stays.
. "$(dirname "$0")/lib.sh"
must_record run.trace 2 "$apps/address_space"
expect_exit 0 "$ranksight" show run.trace --json
python3 - <<'PY' || fail "$(cat out.txt)"
import json
losses = json.load(open("out.txt"))["losses"]
assert losses == {"values_too_large": 8}, losses
PY
expect_exit 0 "$ranksight" show run.trace --events --rank 1
[ "$(grep -c MPI_Win_create out.txt)" = 6 ] || fail "$(cat out.txt)"
