#!/usr/bin/env bash
# regions.sh PROGRAM: MPI calls in regions are call sites of their own; what was
# flushed is there after kill -9; without the runtime nothing happens.
. "$(dirname "$0")/lib.sh"
plain 2 "$1" >plain.out || fail "the run without the runtime"
must_record run.trace 2 "$1"
cmp plain.out record.out || fail "the program prints something else"
"$ranksight" show run.trace --tree >tree.txt
sites() { grep -cE "MPI_Allreduce$1.*@ $2[A-Za-z]" tree.txt; }
for place in '\[solve\] ' '\[solve\] \[check\] ' ''; do
  [ "$(sites '' "$place")" = 1 ] || {
    cat tree.txt >&2
    fail "not one MPI_Allreduce in $place"
  }
done
grep -q 'MPI_Allreduce x3 .*@ \[solve\] [A-Za-z]' tree.txt ||
  fail "not three sums a round"
grep -q 'MPI_Finalize.*@ \[left open\] ' tree.txt || fail "no open region"
grep -q 'before\|never' tree.txt && fail "a region that is none"
[ "$("$ranksight" show run.trace --events --rank 1 | grep -c MPI_Allreduce)" = 500 ] ||
  fail "not all events"
[ -z "$(find . -name '*.partial')" ] || fail "a flushed part was left"

record dead.trace 2 "$1" kill >dead.out 2>&1 && fail "the killed run succeeded"
[ -s dead.trace.rank1.partial ] || fail "the killed rank left nothing"
[ "$("$ranksight" show dead.trace.rank1.partial --events --rank 1 |
  grep -c MPI_Allreduce)" = 500 ] || fail "the flushed part is not whole"
"$ranksight" show dead.trace.rank1.partial | grep -q flushed ||
  fail "it does not say why it is partial"
