#!/usr/bin/env bash
# Which color ranks have follows a law, how many have it none: as many are
# together as have one color, and the trace is that of a real run.
. "$(dirname "$0")/lib.sh"
record_sizes 4,9,16,25 "$apps/diagonal"
must_extrapolate "${inputs[@]}" --ranks 36 -o made.trace
must_record real.trace 36 "$apps/diagonal"
"$ranksight" diff made.trace real.trace >diff.txt || fail "$(cat diff.txt)"
must_replay made.trace
