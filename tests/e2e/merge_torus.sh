#!/usr/bin/env bash
# merge_torus.sh IMITATION PLACES EVENTS PROGRAM ARGS...: on the torus that the
# MPI library says it runs on, ranks merge line by line of nodes, and the trace
# is what it is elsewhere, at the end as well as with a cut every EVENTS calls.
. "$(dirname "$0")/lib.sh"
imitation=$1 places=$2 events=$3
shift 3
order() {  # PRELOAD
  LD_PRELOAD=$1 "$launcher" -n 6 "$places" >order.txt 2>err.txt ||
    fail "$(cat err.txt)"
  paste -sd' ' order.txt
}
export TORUS_MPI=3x2
# The imitation counts its first dimension fastest, a torus its last.
found=$(order "$imitation:$yield_preload")
[ "$found" = "ranks 0 3 1 4 2 5 hosts 0 1 2 3 4 5" ] || fail "torus: $found"
found=$(order "$yield_preload")
[ "$found" = "ranks hosts" ] || fail "no torus: $found"
# Too small for all ranks: those that do not fit do not say where they sit.
found=$(TORUS_MPI=2x2 order "$imitation:$yield_preload")
[ "$found" = "ranks hosts" ] || fail "some on a torus: $found"

must_record one.trace 6 "$@"
yield_preload=$imitation:$yield_preload
must_record torus.trace 6 "$@"
RANKSIGHT_EPOCH_EVENTS=$events must_record cut.trace 6 "$@"
for trace in torus cut; do
  identical one.trace $trace.trace
  must_be_complete $trace.trace
  diff <("$ranksight" show one.trace --tree) \
    <("$ranksight" show $trace.trace --tree) >tree.txt ||
    { cat tree.txt; fail "another tree"; }
done
grep -q '^epochs *[1-9]' show.txt || { cat show.txt; fail "no epoch"; }
