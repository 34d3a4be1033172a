#!/usr/bin/env bash
# fortran_api.sh PROGRAM: pausing, parameters, regions and flushing from
# Fortran, and that the same program runs where the runtime is absent.
. "$(dirname "$0")/lib.sh"
plain 2 "$1" >plain.out || fail "the run without the runtime"
[ "$(grep -c done plain.out)" = 2 ] || fail "it printed: $(cat plain.out)"
must_record run.trace 2 "$1"
for rank in 0 1; do
  events run.trace "$rank" >events.txt || fail "show --events"
  [ "$(grep -c '^MPI_Barrier comm=0$' events.txt)" = 3 ] || {
    cat events.txt >&2
    fail "not the barriers around the pause"
  }
done
"$ranksight" show run.trace | grep -q 'size=64x64' || fail "no parameter"
[ "$("$ranksight" show run.trace --tree | grep -c 'MPI_Barrier.*@ \[outer\] \[inner\] ')" = 1 ] ||
  fail "no barrier in the regions"
[ -z "$(find . -name '*.partial')" ] || fail "a flushed part was left"
