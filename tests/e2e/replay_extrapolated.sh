#!/usr/bin/env bash
# replay_extrapolated.sh TARGET SIZES PROGRAM ARGS...
# A trace of a size that never ran replays as if it had been recorded.
. "$(dirname "$0")/lib.sh"
target=$1
sizes=$2
shift 2
record_sizes "$sizes" "$@"
must_extrapolate "${inputs[@]}" --ranks "$target" -o guess.trace
replay_recorded guess.trace again.trace
identical guess.trace again.trace
