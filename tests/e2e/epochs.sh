#!/usr/bin/env bash
# epochs.sh RANKS EVENTS PROGRAM ARGS...
# A run cut every EVENTS calls gives the trace of a run that is not: the
# independent log's text on every rank, and no byte more for the cuts.
. "$(dirname "$0")/lib.sh"
ranks=$1
events=$2
shift 2
must_record whole.trace "$ranks" "$@"
RANKSIGHT_EPOCH_EVENTS=$events must_record cut.trace "$ranks" "$@"
identical whole.trace cut.trace
logged logs "$ranks" "$@" >/dev/null
for ((r = 0; r < ranks; r++)); do
  events cut.trace "$r" | cmp - "logs/$r.txt" || fail "rank $r differs"
done
"$ranksight" show cut.trace >show.txt
grep -q '^state *complete' show.txt || { cat show.txt; fail "not complete"; }
grep -q '^epochs *[1-9]' show.txt || { cat show.txt; fail "no epoch"; }
"$ranksight" show whole.trace >whole.txt
cmp <(grep '^structure' whole.txt) <(grep '^structure' show.txt) ||
  fail "the structures differ"
