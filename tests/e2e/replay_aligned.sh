#!/usr/bin/env bash
# replay_aligned.sh RANKS [SIZES] PROGRAM: a replay with --align, of a run whose
# wildcards are taken anew or of a trace extrapolated from SIZES, asks for any
# source or tag nowhere, receives as many messages, and is the same again.
. "$(dirname "$0")/lib.sh"
ranks=$1
shift
if [ $# -gt 1 ]; then
  record_sizes "$1" "$2"
  must_extrapolate "${inputs[@]}" --ranks "$ranks" -o run.trace
else
  must_record run.trace "$ranks" "$1"
fi
aligned() {  # OUT: two replays that are not recorded by the command
  LD_PRELOAD=$yield_preload "$launcher" -n "$ranks" \
    -env LD_PRELOAD "$runtime:$yield_preload" -env RANKSIGHT_OUTPUT "$1" \
    "$build/bin/ranksight-replay" run.trace --no-compute --wildcards --align \
    --stall 600 >replay.out 2>replay.err || {
    cat replay.err >&2
    fail "replay"
  }
}
events_of_all() {  # TRACE: without what a receive asks for
  for ((rank = 0; rank < ranks; ++rank)); do
    events "$1" "$rank"
  done
}
aligned again.trace
aligned twice.trace
identical again.trace twice.trace
events_of_all run.trace | grep -q '=any' || fail "nothing to align"
events_of_all again.trace >again.txt
grep '=any' again.txt >&2 && fail "still open"
[ "$(events_of_all run.trace | cut -d' ' -f1 | sort | uniq -c)" = \
  "$(cut -d' ' -f1 again.txt | sort | uniq -c)" ] || fail "other calls"
