#!/usr/bin/env bash
# A size that a program of powers of two cannot have is refused, and the ones
# near it are named.
. "$(dirname "$0")/lib.sh"
record_sizes 2,4,8,16 "$apps/butterfly"
expect_exit 1 "$ranksight" extrapolate "${inputs[@]}" --ranks 48 -o guess.trace
grep -q '32, 64' out.txt err.txt || fail "no sizes named: $(cat err.txt)"
[ ! -e guess.trace ] || fail "refused, but a trace was written"
# What cannot be written is known before.
expect_exit 4 "$ranksight" extrapolate "${inputs[@]}" --ranks 48 -o none/guess.trace
