#!/usr/bin/env bash
# Neighbours drawn from a seed are refused: call site and values named, no
# file left.
. "$(dirname "$0")/lib.sh"
record_sizes 4,5,6 "$apps/random_peers"
expect_exit 1 "$ranksight" extrapolate "${inputs[@]}" --ranks 8 --exact -o guess.trace
cat out.txt err.txt >all.txt
grep -q 'no law for the peer of MPI_Sendrecv at .*random_peers' all.txt ||
  fail "no call site named: $(cat all.txt)"
grep -q 'rank [0-9]* of [0-9]* has \[' all.txt || fail "no values named"
[ ! -e guess.trace ] || fail "refused, but a trace was written"
