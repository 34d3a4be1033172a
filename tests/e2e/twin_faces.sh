#!/usr/bin/env bash
# How long the datatypes are that neighbours exchange has no law: a twin is
# made, in which all are the mean.
. "$(dirname "$0")/lib.sh"
must_make_twin 4,6,8,12,16 24 "$apps/uneven_faces"
must_record real.trace 24 "$apps/uneven_faces"
for trace in twin real; do
  "$ranksight" show "$trace.trace" --events --rank 7 |
    grep '^MPI_Neighbor_alltoallw' | head -n 1 >"$trace.txt"
done
python3 - <<'END' || fail "unlike a run: $(cat twin.txt real.txt)"
import re
def of(file):
    return [int(v) for v in
            re.search(r" bytes=(\d+) rbytes=(\d+)", open(file).read()).groups()]
twin, real = of("twin.txt"), of("real.txt")
assert twin[0] == twin[1], twin
# Two faces of 40 to 59 numbers each.
assert abs(twin[0] - real[0]) < 0.4 * real[0], (twin, real)
END
