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
