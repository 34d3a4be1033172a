#!/usr/bin/env bash
# sessions.sh RANKS PROGRAM: a program without MPI_Init prints the same, and
# each rank leaves a part with the calls that the raw logger wrote.
. "$(dirname "$0")/lib.sh"
ranks=$1
plain "$ranks" "$2" >plain.out || fail "the run without the runtime"
logged logs "$ranks" "$2" >/dev/null || fail "the logged run"
record run.trace "$ranks" "$2" >record.out 2>record.err || {
  cat record.err >&2
  fail "the recorded run"
}
cmp plain.out record.out || fail "the program prints something else"
for ((rank = 0; rank < ranks; ++rank)); do
  part=run.trace.rank$rank.partial
  [ -s "$part" ] || fail "rank $rank left no part"
  events "$part" "$rank" >shown.txt || fail "show $part"
  diff "logs/$rank.txt" shown.txt >&2 || fail "rank $rank: < logger, > trace"
done
"$ranksight" show run.trace.rank0.partial | grep -q sessions_without_world ||
  fail "the part does not say why it is one"
# Put together they are the run, and can be replayed like another.
expect_exit 0 "$ranksight" merge run.trace.rank*.partial -o whole.trace
grep -qx "whole.trace: $ranks of $ranks ranks, complete" out.txt ||
  fail "$(cat out.txt)"
must_be_complete whole.trace
for ((rank = 0; rank < ranks; ++rank)); do
  diff "logs/$rank.txt" <(events whole.trace "$rank") >&2 ||
    fail "rank $rank: < logger, > merged"
done
expect_exit 0 "$ranksight" merge run.trace.rank[1-9]*.partial -o most.trace
stopped most.trace 'ranks_missing 1'
expect_exit 1 "$ranksight" merge whole.trace run.trace.rank1.partial -o no.trace
grep -q 'rank 1 stands in whole.trace and in run.trace.rank1.partial' err.txt ||
  fail "$(cat err.txt)"
[ ! -e no.trace ] || fail "a trace of two runs"
