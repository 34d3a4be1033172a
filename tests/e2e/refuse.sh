#!/usr/bin/env bash
# What no law explains is refused with a reason, and no file is left.
. "$(dirname "$0")/lib.sh"
record_sizes 2,3,4,5 "$apps/irregular" 40
expect_exit 1 "$ranksight" extrapolate "${inputs[@]}" --ranks 9 --exact -o guess.trace
[ -s out.txt ] || [ -s err.txt ] || fail "refused without a reason"
[ ! -e guess.trace ] || fail "refused, but a trace was written"
