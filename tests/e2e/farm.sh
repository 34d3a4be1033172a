#!/usr/bin/env bash
# farm.sh RANKS FARM: what predicted receives and probes matched that asked for
# any source or tag is in the trace: the program's own statuses say the same.
. "$(dirname "$0")/lib.sh"
ranks=$1
mkdir stated
must_record run.trace "$ranks" "$2" stated
for ((rank = 0; rank < ranks; ++rank)); do
  sed 's/ $//' "stated/$rank.txt" >stated.txt
  [ -s stated.txt ] || fail "rank $rank stated nothing"
  "$ranksight" show run.trace --events --matched --rank "$rank" |
    sed -n 's/.* matched=//p' | tr ',\n' '  ' | sed 's/ $//' >kept.txt
  diff stated.txt kept.txt >&2 || fail "rank $rank: < program, > trace"
done
