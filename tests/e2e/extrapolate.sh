#!/usr/bin/env bash
# extrapolate.sh TARGET SIZES PROGRAM ARGS...
# The trace at TARGET ranks, made from runs at SIZES (comma-separated), is
# that of a real run, value by value.
. "$(dirname "$0")/lib.sh"
target=$1
sizes=$2
shift 2
record_sizes "$sizes" "$@"
must_extrapolate "${inputs[@]}" --ranks "$target" -o guess.trace
must_record real.trace "$target" "$@"
identical guess.trace real.trace
identical real.trace guess.trace
"$build/bin/same_values" guess.trace real.trace >&2 || fail "values differ"
