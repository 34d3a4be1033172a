#!/usr/bin/env bash
# truncated.sh REQUEST_WALK RANKS TRUNCATED: a call that fails for one of its
# requests completes those it is done with, and no other.
. "$(dirname "$0")/lib.sh"
walk=$1
ranks=$2
must_record run.trace "$ranks" "$3"
left=$(sed -n 's/.* failed and left \([0-9]*\) .*/\1/p' record.out)
[ "${left:-0}" -gt 0 ] || fail "the program says that nothing was left"
for ((rank = 0; rank < ranks; ++rank)); do
  "$walk" run.trace "$rank" >walk.txt || fail "requests of rank $rank"
done
