#!/usr/bin/env bash
# replay.sh RANKS PROGRAM ARGS...
# Recording the replay of a trace gives the trace back, and so does recording the
# replay of that.
. "$(dirname "$0")/lib.sh"
ranks=$1
shift
must_record run.trace "$ranks" "$@"
replay_recorded run.trace again.trace
identical run.trace again.trace
replay_recorded again.trace twice.trace
identical run.trace twice.trace
