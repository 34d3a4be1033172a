#!/usr/bin/env bash
# predict.sh RANKS PROGRAM ARGS...
# Whether calls are recognised by prediction or looked at one by one, the
# events and the structure of the trace are the same.
. "$(dirname "$0")/lib.sh"
must_record predicted.trace "$@"
export RANKSIGHT_PREDICT=off
must_record looked_at.trace "$@"
expect_exit 0 "$ranksight" diff predicted.trace looked_at.trace
for trace in predicted looked_at; do
  expect_exit 0 "$ranksight" show $trace.trace --tree
  cp out.txt $trace.txt
done
[ -s predicted.txt ] || fail "no tree"
# What completed first is chance, and so is whose message a receive from any
# source matched.
for text in predicted looked_at; do
  grep -vE " (done|matched)=" $text.txt >$text.same.txt
done
cmp predicted.same.txt looked_at.same.txt || fail "the trees differ"
