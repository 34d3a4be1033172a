#!/usr/bin/env bash
# stops.sh PROGRAM: whatever Fortran's runtime does to end a program, it does as
# without us, and the rank's part is left.
# The launcher's exit is the first that it sees, where a rank that sleeps is gone
# before one that fails.
export IDLE_US=0
. "$(dirname "$0")/lib.sh"
for how in stop errorstop abort segv open; do
  record $how.trace 2 "$1" $how >out.txt 2>err.txt </dev/null
  status=$?
  # Of two ranks that end without a word to MPI the launcher may kill one, or
  # not: its exit is one of two without us, too.
  expected=
  for _ in {1..50}; do
    plain 2 "$1" $how >plain.out 2>plain.err </dev/null
    expected=$?
    [ "$expected" -ne "$status" ] || break
  done
  [ "$status" -eq "$expected" ] || fail "$how: exit $status is none without us"
  grep -v '^ranksight: ' err.txt >said.txt
  # Addresses and process numbers differ by run.
  for file in plain.out out.txt plain.err said.txt; do
    sed -i 's/0x[0-9a-f]*/0x/g; s/PID [0-9]*/PID/' $file
  done
  cmp plain.out out.txt || fail "$how: other output"
  diff <(grep -v ' in \|^$' plain.err) <(grep -v ' in \|^$' said.txt) >&2 ||
    fail "$how: other words"
  events $how.trace.rank1.partial 1 >shown.txt || fail "$how: no part"
  [ "$(grep -c '^MPI_Allreduce' shown.txt)" -eq 20 ] ||
    fail "$how: events are missing"
done
exit 0
