#!/usr/bin/env bash
# second_tool.sh RANKS PROGRAM...: another tool of the profiling interface behind
# the runtime in LD_PRELOAD, here the raw logger, sees what it sees alone, and
# the trace is what it is without it.
. "$(dirname "$0")/lib.sh"
ranks=$1
shift
logged alone "$ranks" "$@" >alone.txt || fail "the logger alone"
must_record one.trace "$ranks" "$@" >one.txt
mkdir both
export RAWLOG_DIR=$PWD/both
yield_preload=$raw_logger:$yield_preload
must_record both.trace "$ranks" "$@" >both.txt
for ((r = 0; r < ranks; r++)); do
  [ -s "both/$r.txt" ] || fail "the logger behind us saw nothing of rank $r"
  cmp "alone/$r.txt" "both/$r.txt" || fail "rank $r: another log"
done
identical one.trace both.trace
