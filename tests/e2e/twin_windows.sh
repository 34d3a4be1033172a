#!/usr/bin/env bash
# Blocks of a mesh are windows whose sizes have no law, and neighbours put into
# them: a twin is made in which nothing is put beyond a window's end.
. "$(dirname "$0")/lib.sh"
must_make_twin 4,6,8,12,16 24 "$apps/put_edges"
grep '^estimated: MPI_Win_allocate ' report.txt >/dev/null ||
  fail "not marked: $(cat report.txt)"
must_record real.trace 24 "$apps/put_edges"
# As much is put as in a real run, between the same ranks.
must_count twin real
for trace in twin real; do
  "$ranksight" matrix "$trace.trace" --messages -o "$trace.csv" || fail "matrix"
done
python3 - <<'END' || fail "unlike a run"
import json
def puts(file):
    return [c for c in json.load(open(file))["calls"] if c["call"] == "MPI_Put"]
twin, real = (sum(c["sent_bytes"] for c in puts(f)) for f in ("twin.json", "real.json"))
assert real > 0 and abs(twin - real) <= 0.15 * real, (twin, real)
END
cmp twin.csv real.csv || fail "others are put to"
