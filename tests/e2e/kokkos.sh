#!/usr/bin/env bash
# kokkos.sh PROGRAM REGION_LOG CONNECTOR: what Kokkos says of its regions,
# kernels, deep copies and fences reaches the runtime, nested as in the
# program's source; calls made in them are call sites of their own, and their
# text is that of a run without the connector.
. "$(dirname "$0")/lib.sh"
export REGION_LOG=$folder/regions.log
LD_PRELOAD=$2:$yield_preload KOKKOS_PROFILE_LIBRARY=$3 KOKKOS_TOOLS_LIBS=$3 \
  "$launcher" -n 1 "$1" >/dev/null || fail "the run with the log"
dot() {
  printf '%sbegin parallel_reduce dot\n%send parallel_reduce dot\n' "$1" "$1"
  printf '%sbegin sum\n%send sum\n' "$1" "$1"
}
both() { printf '%sbegin %s\n%send %s\n' "$1" "$2" "$1" "$2"; }
{
  both '' 'parallel_for start'
  both '' 'deep_copy p <- r'
  dot ''
  for step in 1 2 3; do
    echo "begin step"
    both '  ' 'parallel_for exchange'
    both '  ' 'parallel_for apply'
    dot '  '
    both '  ' 'parallel_for axpy'
    dot '  '
    both '  ' 'parallel_for update'
    echo "end step"
  done
  dot ''
  both '' 'parallel_scan places'
  both '' 'fence before the end'
  both '' 'left open'
} >expected.log
# What Kokkos does for itself differs from version to version.
grep -vE 'Kokkos::|HostSpace' regions.log | diff expected.log - >&2 || fail "the regions"

KOKKOS_PROFILE_LIBRARY=$3 KOKKOS_TOOLS_LIBS=$3 plain 3 "$1" >plain.out ||
  fail "the run without a runtime"
logged logs 3 "$1" >/dev/null || fail "the raw log"
LD_PRELOAD=$yield_preload "$ranksight" record --kokkos -o run.trace -- \
  "$launcher" -n 3 "$1" >record.out || fail "recording"
cmp plain.out record.out || fail "the program prints something else"
for rank in 0 1 2; do
  events run.trace "$rank" | cmp - "logs/$rank.txt" || fail "text of rank $rank"
done
"$ranksight" show run.trace --tree >tree.txt
# expect SITES CALL REGIONS
expect() {
  [ "$(grep "$2" tree.txt | grep -F "@ $3 " | grep -cvF "@ $3 [")" = "$1" ] || {
    cat tree.txt >&2
    fail "not $1 call sites of $2 in $3"
  }
}
expect 2 MPI_Sendrecv '[step] [parallel_for exchange]'
expect 2 MPI_Allreduce '[step] [sum]'
expect 2 MPI_Allreduce '[sum]'
expect 1 MPI_Barrier '[fence before the end]'
expect 1 MPI_Barrier '[left open]'
grep 'MPI_Finalize' tree.txt | grep -q '\[' && fail "a region after the end"

KOKKOS_PROFILE_LIBRARY=other.so expect_exit 2 "$ranksight" record --kokkos -- \
  "$launcher" -n 1 "$1"
