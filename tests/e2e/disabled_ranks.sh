#!/usr/bin/env bash
# disabled_ranks.sh PROGRAM ARGS...: RANKSIGHT_DISABLE=1 on some of three ranks,
# the first or the last, with epochs and without: the program ends as ever, and
# the trace holds the others' events and says that it is not whole.
. "$(dirname "$0")/lib.sh"
logged logs 3 "$@" >logged.txt || fail "the logged run"
off=(-env RANKSIGHT_DISABLE 1)
# check TRACE RANKS-THAT-RECORD
check() {
  cmp logged.txt record.out || fail "$1: the program prints something else"
  "$ranksight" show "$1" >show.txt || fail "show $1"
  grep -q '^state *partial' show.txt || { cat show.txt; fail "$1: whole"; }
  grep -q '^losses.*disabled' show.txt || { cat show.txt; fail "$1: no loss"; }
  local rank
  for rank in $2; do logged_events "logs/$rank.txt" "$1" "$rank"; done
}
for RANKSIGHT_EPOCH_EVENTS in 0 10; do
  export RANKSIGHT_EPOCH_EVENTS
  LD_PRELOAD=$yield_preload "$ranksight" record -o first.trace -- "$launcher" \
    -n 1 "${off[@]}" "$@" : -n 2 "$@" >record.out || fail "without the first"
  check first.trace "1 2"
  LD_PRELOAD=$yield_preload "$ranksight" record -o last.trace -- "$launcher" \
    -n 2 "$@" : -n 1 "${off[@]}" "$@" >record.out || fail "without the last"
  check last.trace "0 1"
done
