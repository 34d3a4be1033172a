#!/usr/bin/env bash
# canonical_text.sh [--unordered] RANKS PROGRAM ARGS...
# The events of every rank, shown from the trace, are those the raw logger
# wrote. With --unordered as multisets, for programs with threads.
. "$(dirname "$0")/lib.sh"
order=cat
if [ "$1" = --unordered ]; then
  order=sort
  shift
fi
ranks=$1
shift
logged logs "$ranks" "$@" >logged.txt || fail "the logged run"
must_record run.trace "$ranks" "$@"
for ((rank = 0; rank < ranks; ++rank)); do
  events run.trace "$rank" >shown.txt || fail "show --events --rank $rank"
  [ -s "logs/$rank.txt" ] || fail "no raw log of rank $rank"
  diff <($order "logs/$rank.txt") <($order shown.txt) >difference.txt || {
    echo "rank $rank: < raw logger, > trace" >&2
    head -40 difference.txt >&2
    fail "canonical text of rank $rank"
  }
done
