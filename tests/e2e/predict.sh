#!/usr/bin/env bash
# predict.sh RANKS PROGRAM ARGS...
# Whether calls are recognised by prediction, by the counter or by another
# clock, or looked at one by one: the events and the structure of the trace are
# the same.
. "$(dirname "$0")/lib.sh"
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
  cmp $trace.same.txt looked_at.same.txt || fail "the trees differ: $trace"
done
