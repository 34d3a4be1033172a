#!/usr/bin/env bash
# predict.sh [--by-chance] RANKS PROGRAM ARGS...
# Whether calls are recognised by prediction, by the counter or by another
# clock, or looked at one by one: the events with all their values and the
# structure of the trace are the same. With --by-chance not the values, for
# programs that wait for any of several requests.
. "$(dirname "$0")/lib.sh"
same_values=$build/bin/same_values
if [ "$1" = --by-chance ]; then
  same_values=true
  shift
fi
must_record predicted.trace "$@"
export RANKSIGHT_CLOCK=monotonic
must_record by_clock.trace "$@"
unset RANKSIGHT_CLOCK
export RANKSIGHT_PREDICT=off
must_record looked_at.trace "$@"
for trace in predicted by_clock looked_at; do
  expect_exit 0 "$ranksight" show $trace.trace --tree
  cp out.txt $trace.txt
  # What completed first is chance, and so is whose message a receive from any
  # source matched.
  grep -vE " (done|matched)=" $trace.txt >$trace.same.txt
done
[ -s looked_at.txt ] || fail "no tree"
for trace in predicted by_clock; do
  expect_exit 0 "$ranksight" diff $trace.trace looked_at.trace
  expect_exit 0 "$same_values" $trace.trace looked_at.trace
  cmp $trace.same.txt looked_at.same.txt || fail "the trees differ: $trace"
done
