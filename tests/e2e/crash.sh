#!/usr/bin/env bash
# crash.sh abort|segv|kill|exit RANKS: rank 1 ends that way in the middle. What
# is left says that it is a part, and until when; each rank's events begin as
# the independent log of a whole run does, and reach into the run.
. "$(dirname "$0")/lib.sh"
how=$1
ranks=$2
limit_launches 60
# The last rank never comes by to give what it has.
RANKSIGHT_EPOCH_EVENTS=40 after_cut run.trace $((ranks - 1)) \
  record run.trace "$ranks" "$apps/crash" "$how" 1000000000 500 go &&
  [ "$how" != exit ] && fail "nothing went wrong"
[ -s run.trace ] || fail "nothing is left"
"$ranksight" show run.trace >show.txt || fail "what is left does not read"
grep -q '^state *partial, complete until ' show.txt ||
  { cat show.txt; fail "not marked partial"; }
longest=0
for ((r = 0; r < ranks; r++)); do
  events run.trace "$r" >"shown.$r.txt"
  lines=$(wc -l <"shown.$r.txt")
  [ "$lines" -le "$longest" ] || longest=$lines
done
# A step is more than one event.
logged logs "$ranks" "$apps/crash" none "$longest" 0 >/dev/null
for ((r = 0; r < ranks; r++)); do
  cmp -n "$(stat -c %s "shown.$r.txt")" "shown.$r.txt" "logs/$r.txt" ||
    fail "rank $r is no beginning of its log"
  [ "$r" -eq $((ranks - 1)) ] && continue
  [ "$(wc -l <"shown.$r.txt")" -ge 40 ] ||
    fail "rank $r lost more than its last cut"
done
