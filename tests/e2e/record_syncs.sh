#!/usr/bin/env bash
# record_syncs.sh PROGRAM
# `record` waits for the disk once for the trace that it leaves, and no rank does
# for one that `record` writes again. Without the command a rank does.
. "$(dirname "$0")/lib.sh"
program=$1 name=$(basename "$1")
export SYNC_LOG=$PWD/syncs
sync_log=$build/lib/libsync_log.so

syncs_of() { grep -c "^$1 .*run\.trace" "$SYNC_LOG"; }

LD_PRELOAD=$sync_log "$ranksight" record -o run.trace -- \
  "$launcher" -n 2 "$program" >out.txt 2>err.txt || fail "record: $(cat err.txt)"
[ -s run.trace ] || fail "no trace"
[ "$(syncs_of ranksight)" = 1 ] || fail "record: $(cat "$SYNC_LOG")"
[ "$(syncs_of "$name")" = 0 ] || fail "a rank: $(cat "$SYNC_LOG")"

rm -f "$SYNC_LOG" run.trace
RANKSIGHT_OUTPUT=$PWD/run.trace "$launcher" -n 2 \
  -env LD_PRELOAD "$runtime:$sync_log" "$program" >out.txt 2>err.txt ||
  fail "without the command: $(cat err.txt)"
[ -s run.trace ] || fail "no trace without the command"
[ "$(syncs_of "$name")" = 1 ] || fail "a rank: $(cat "$SYNC_LOG")"
