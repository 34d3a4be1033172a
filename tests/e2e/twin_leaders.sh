#!/usr/bin/env bash
# Who is in a group has no law, and roots sum in place: a twin is made in which
# none but the root of a group does, which no MPI would take.
. "$(dirname "$0")/lib.sh"
record_sizes 4,6,8,12,16 "$apps/leaders"
must_extrapolate "${inputs[@]}" --ranks 24 -o twin.trace
"$ranksight" replay twin.trace --check >check.txt || fail "$(cat check.txt)"
LD_PRELOAD=$yield_preload expect_exit 0 "$ranksight" replay twin.trace \
  --no-compute --launcher "$launcher -n {ranks}" --stall 600
