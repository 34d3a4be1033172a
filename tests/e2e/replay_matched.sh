#!/usr/bin/env bash
# replay_matched.sh RANKS PROGRAM...: a replay receives from any source what the
# recorded run received, whatever comes first this time. Programs that go on
# by who came first hang otherwise.
. "$(dirname "$0")/lib.sh"
ranks=$1
shift
must_record run.trace "$ranks" "$@"
# Without --record: that keeps wildcards.
LD_PRELOAD=$yield_preload "$launcher" -n "$ranks" \
  -env LD_PRELOAD "$runtime:$yield_preload" -env RANKSIGHT_OUTPUT again.trace \
  "$build/bin/ranksight-replay" run.trace --no-compute --stall 600 \
  >replay.out 2>replay.err || {
  cat replay.err >&2
  fail "replay"
}
# What each rank received, in any order: messages of one call may complete in
# another order.
received() {
  "$ranksight" show "$1" --events --matched --rank "$2" |
    python3 "$(dirname "$0")/received.py" | sort
}
for ((rank = 0; rank < ranks; ++rank)); do
  received run.trace "$rank" >run.txt
  received again.trace "$rank" >again.txt
  diff run.txt again.txt >&2 || fail "rank $rank: < recorded, > replayed"
done
