#!/usr/bin/env bash
# callbacks.sh RANKS CALLBACKS: communicators that were not seen being made have
# no number, others keep theirs, and the trace says how many calls used one.
. "$(dirname "$0")/lib.sh"
ranks=$1
logged logs "$@" >logged.txt || fail "the logged run"
must_record run.trace "$@"
for ((rank = 0; rank < ranks; ++rank)); do
  logged_events "logs/$rank.txt" run.trace "$rank"
done
calls=$(sed -n 's/ calls on.*//p' record.out)
"$ranksight" show run.trace >show.txt || fail "show"
grep -q "^losses *calls_on_unknown_communicators $calls\$" show.txt || {
  grep '^losses' show.txt >&2
  fail "$calls calls used one"
}
replay_recorded run.trace again.trace
for ((rank = 0; rank < ranks; ++rank)); do
  events again.trace "$rank" >replayed.txt
  grep -v 'comm=none' "logs/$rank.txt" | diff - replayed.txt >&2 ||
    fail "rank $rank: < program, > replay"
done
