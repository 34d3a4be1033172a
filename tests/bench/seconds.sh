# What traces and replays took. Sourced, with $build set.
# shellcheck shell=bash
elapsed() {  # TRACE: seconds of its longest rank
  # shellcheck disable=SC2154
  "$build/bin/ranksight" show "$1" --json |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["elapsed_ns"]["max"] / 1e9)'
}
simulated_seconds() {  # TRACE OPTIONS...: of the longest rank of its replay
  "$build/bin/ranksight" simulate "$@" --json |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["replayed_seconds_longest_rank"])'
}
