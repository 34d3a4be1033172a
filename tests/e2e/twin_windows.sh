#!/usr/bin/env bash
# Blocks of a mesh are windows whose sizes have no law, and neighbours put into
# them: a twin is made in which nothing is put beyond a window's end.
. "$(dirname "$0")/lib.sh"
must_make_twin 4,6,8,12,16 24 "$apps/put_edges"
grep '^estimated: MPI_Win_allocate ' report.txt >/dev/null ||
  fail "not marked: $(cat report.txt)"
must_record real.trace 24 "$apps/put_edges"
# As much is put as in a real run, between the same ranks.
must_give_alike MPI_Put 15
for trace in twin real; do
  "$ranksight" matrix "$trace.trace" --messages -o "$trace.csv" || fail "matrix"
done
cmp twin.csv real.csv || fail "others are put to"
