#!/usr/bin/env bash
# replay_extrapolated.sh TARGET SIZES PROGRAM ARGS...
# A trace of a size that never ran replays as if it had been recorded.
. "$(dirname "$0")/lib.sh"
target=$1
sizes=$2
shift 2
inputs=()
for ranks in ${sizes//,/ }; do
  must_record "$ranks.trace" "$ranks" "$@"
  inputs+=("$ranks.trace")
done
"$ranksight" extrapolate "${inputs[@]}" --ranks "$target" -o guess.trace \
  >report.txt 2>&1 || {
  cat report.txt >&2
  fail "extrapolation"
}
replay_recorded guess.trace again.trace
identical guess.trace again.trace
