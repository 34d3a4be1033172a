#!/usr/bin/env bash
# replay.sh RANKS PROGRAM ARGS...
# Recording the replay of a trace gives the trace back.
. "$(dirname "$0")/lib.sh"
ranks=$1
shift
must_record run.trace "$ranks" "$@"
replay_recorded run.trace again.trace
identical run.trace again.trace
