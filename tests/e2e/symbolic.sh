#!/usr/bin/env bash
# symbolic.sh TARGET REPLAYED SIZES PROGRAM ARGS...
# Laws attached to a trace give the trace of a real run at TARGET ranks, and
# a replay at REPLAYED ranks that records what a real run there does.
. "$(dirname "$0")/lib.sh"
target=$1
replayed=$2
sizes=$3
shift 3
record_sizes "$sizes" "$@"
must_extrapolate "${inputs[@]}" --ranks "$target" --symbolic -o laws.trace
must_extrapolate laws.trace --ranks "$target" -o guess.trace
must_record real.trace "$target" "$@"
identical guess.trace real.trace
"$ranksight" show laws.trace --phases >phases.txt || fail "show --phases"
grep -q "^weight of " phases.txt || fail "phases without equations"
must_extrapolate laws.trace --ranks "$replayed" -o small.trace
"$ranksight" replay laws.trace --ranks "$replayed" --no-compute \
  --record again.trace >report.txt 2>&1 || {
  cat report.txt >&2
  fail "replay by the laws"
}
identical again.trace small.trace
expect_exit 2 "$ranksight" replay real.trace --ranks 4
# Both are of one job: a store takes the first, and says that the other differs.
expect_exit 0 "$ranksight" runs import --store store laws.trace
expect_exit 3 "$ranksight" runs import --store store guess.trace
grep -q '^ranksight: guess.trace:0: .*another trace of run' err.txt ||
  fail "$(cat err.txt)"
