#!/usr/bin/env bash
# crash.sh abort|segv|kill|exit RANKS: rank 1 ends that way in the middle. What
# is left says that it is a part, and until when; each rank's events begin as
# the independent log of a whole run does, and reach into the run.
. "$(dirname "$0")/lib.sh"
how=$1
ranks=$2
logged logs "$ranks" "$apps/crash" none 600 0 >/dev/null
RANKSIGHT_EPOCH_EVENTS=40 record run.trace "$ranks" "$apps/crash" "$how" 600 \
  500 >out.txt 2>err.txt && [ "$how" != exit ] && fail "nothing went wrong"
[ -s run.trace ] || fail "nothing is left"
"$ranksight" show run.trace >show.txt || fail "what is left does not read"
grep -q '^state *partial, complete until ' show.txt ||
  { cat show.txt; fail "not marked partial"; }
for ((r = 0; r < ranks; r++)); do
  events run.trace "$r" >shown.txt
  cmp -n "$(stat -c %s shown.txt)" shown.txt "logs/$r.txt" ||
    fail "rank $r is no beginning of its log"
  # The last rank never came by to give what it has.
  [ "$r" -eq $((ranks - 1)) ] && continue
  [ "$(wc -l <shown.txt)" -ge 40 ] || fail "rank $r lost more than its last cut"
done
