#!/usr/bin/env bash
# conceptual_refused.sh PROGRAM: whose ranks reach one collective at different
# rounds of a loop, which no one statement says. Nothing is written.
. "$(dirname "$0")/lib.sh"
must_record run.trace 5 "$1"
expect_exit 1 "$ranksight" generate run.trace --to conceptual -o made
grep -q 'MPI_Bcast at .*different rounds' err.txt || fail "$(cat err.txt)"
[ -z "$(ls made)" ] || fail "it wrote $(ls made)"
