#!/usr/bin/env bash
# matched.sh RANKS CHOICES: what receives and probes matched that asked for any
# source or tag is in the trace: the program's own statuses say the same.
. "$(dirname "$0")/lib.sh"
ranks=$1
must_record run.trace "$ranks" "$2"
for ((rank = 0; rank < ranks; ++rank)); do
  grep "^rank $rank " record.out | cut -d' ' -f3- >stated.txt
  [ -s stated.txt ] || fail "rank $rank printed nothing"
  "$ranksight" show run.trace --events --matched --rank "$rank" |
    sed -n 's/.* matched=//p' | tr ',\n' '  ' | sed 's/ $//' >kept.txt
  echo >>kept.txt
  diff stated.txt kept.txt >&2 || fail "rank $rank: < program, > trace"
done
