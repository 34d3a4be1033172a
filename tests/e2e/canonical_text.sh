#!/usr/bin/env bash
# canonical_text.sh [--unordered] RANKS PROGRAM ARGS...
# The events of every rank, shown from the trace, are those the raw logger
# wrote. With --unordered as multisets, for programs with threads.
. "$(dirname "$0")/lib.sh"
order=
if [ "$1" = --unordered ]; then
  order=$1
  shift
fi
ranks=$1
shift
logged logs "$ranks" "$@" >logged.txt || fail "the logged run"
must_record run.trace "$ranks" "$@"
for ((rank = 0; rank < ranks; ++rank)); do
  logged_events "logs/$rank.txt" run.trace "$rank" "$order"
done
