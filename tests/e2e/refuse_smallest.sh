#!/usr/bin/env bash
# A program that does something of its own with two ranks: left out and said so
# where four others are enough to choose by; of three refused, and said what to
# leave out.
. "$(dirname "$0")/lib.sh"
record_sizes 2,3,4,6,8 "$apps/two_apart"
must_extrapolate "${inputs[@]}" --ranks 12 --exact -o left_out.trace
grep -q '^left out: the run on 2 ranks' report.txt ||
  fail "not said: $(cat report.txt)"
must_extrapolate "${inputs[@]:1}" --ranks 12 --exact -o others.trace
! grep -q '^left out' report.txt || fail "said of none: $(cat report.txt)"
"$ranksight" diff left_out.trace others.trace >&2 || fail "another trace"
expect_exit 1 "$ranksight" extrapolate "${inputs[@]}" --ranks 12 --symbolic -o laws.trace
[ ! -e laws.trace ] || fail "laws are kept that one run does not follow"
inputs=("${inputs[@]:0:4}")
expect_exit 1 "$ranksight" extrapolate "${inputs[@]}" --ranks 12 --exact -o guess.trace
grep -q '; without the run on 2 ranks it is not refused: leave that out' err.txt ||
  fail "not said: $(cat err.txt)"
[ ! -e guess.trace ] || fail "refused, but a trace was written"
must_extrapolate "${inputs[@]:1}" --ranks 12 -o guess.trace
# Where that would not help nothing is said of it, nor of a run that is not as
# small: what refutes a law may be all that tells of another.
record_sizes 3,4,5,6 "$apps/random_peers"
expect_exit 1 "$ranksight" extrapolate "${inputs[@]}" --ranks 8 --exact -o guess.trace
! grep -q 'without the run' err.txt || fail "said: $(cat err.txt)"
record_sizes 4,5,6,7 "$apps/algorithms" disseminate
expect_exit 1 "$ranksight" extrapolate "${inputs[@]}" --ranks 12 --exact -o guess.trace
! grep -q 'without the run' err.txt || fail "said: $(cat err.txt)"
