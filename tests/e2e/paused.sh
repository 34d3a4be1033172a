#!/usr/bin/env bash
# paused.sh RANKS PROGRAM: the trace holds what the raw logger saw, but for what
# was done between the program's marks, while recording was paused; that is
# counted. Communicators made there have no number.
. "$(dirname "$0")/lib.sh"
logged logs "$1" "$2" >logged.txt || fail "the logged run"
must_record run.trace "$1" "$2"
cmp logged.txt record.out || fail "the program prints something else"
must_be_complete run.trace
grep -q '^not recorded .*MPI_Comm_split 9' show.txt ||
  { cat show.txt; fail "it does not say what it lacks"; }
unnumbered() { sed 's/ comm=[2-9][0-9]*/ comm/; s/ comm=1[0-9]/ comm/'; }
for ((rank = 0; rank < $1; ++rank)); do
  sed '/ bytes=1001$/,/ bytes=1002$/d' "logs/$rank.txt" |
    unnumbered >"$rank.expected.txt"
  events run.trace "$rank" | unnumbered >"$rank.shown.txt"
  diff "$rank.expected.txt" "$rank.shown.txt" >&2 ||
    fail "rank $rank: < logger, > trace"
done
"$ranksight" show run.trace --tree >tree.txt
grep -q 'MPI_Barrier.*@ \[setup\] [A-Za-z]' tree.txt ||
  { cat tree.txt; fail "no barrier in setup"; }
grep -q 'MPI_Barrier.*@ \[solve\] [A-Za-z]' tree.txt ||
  { cat tree.txt; fail "no barrier in solve"; }
