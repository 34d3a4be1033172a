#!/usr/bin/env bash
# forecast_replayed.sh BUILD OUT: records patterns and the examples in simulated
# time at a few small rank counts, and holds what `forecast` states at 4 and 16
# times the largest against the simulated replay of the trace that
# `extrapolate` makes there, both on the machine of the runs, with its links
# named and messages measured. Prints a line for each into OUT/table: program,
# ranks, seconds forecast (- where refused), seconds replayed, their ratio.
# Runs that are there already are kept.
set -euo pipefail
. "$(dirname "$0")/machines.sh"
platform torus 512 'topology="TORUS" topo_parameters="8,8,8"'
seq 0 511 | sed 's/^/n/' >hosts
hosts=(-hostfile hosts)
machine=(--torus 8x8x8 --order ZYXT --messages torus.json)
patterns
measure torus
: >table

# compare NAME SIZES PROGRAM...: SIZES as 4,8,16:64,256, inputs and targets.
compare() {
  local name=$1 inputs=() ranks dims size
  for size in $(tr , ' ' <<<"${2%:*}"); do
    dims_of "$size"
    simulate torus "$name" "$ranks" "${@:3}" "${dims[@]}"
    inputs+=("torus.$name.$ranks.trace")
  done
  for size in $(tr , ' ' <<<"${2#*:}"); do
    dims_of "$size"
    hold "$name" "$ranks" "${inputs[@]}"
  done
}
hold() {  # NAME RANKS INPUTS...
  local made=made.$1.$2.trace stated replayed
  stated=$("$build/bin/ranksight" forecast "${machine[@]}" --ranks "$2" --json \
    "${@:3}" 2>"$made.forecast" | python3 -c 'import json, sys
point = json.load(sys.stdin)["points"][0]
print("-" if point["refused"] else point["seconds"])') || true
  if ! "$build/bin/ranksight" extrapolate "${machine[@]}" "${dims[@]}" \
    --ranks "$2" -o "$made" "${@:3}" >"$made.log" 2>&1; then
    printf '%s %s %s - %s\n' "$1" "$2" "$stated" "$(tail -1 "$made.log")" >>table
    return
  fi
  replayed=$(simulated_seconds "$made" --platform torus.xml --hosts hosts \
    --cfg smpi/allreduce:rdb --cfg smpi/alltoall:pair)
  awk -v OFS=' ' -v name="$1" -v ranks="$2" -v stated="$stated" \
    -v replayed="$replayed" 'BEGIN {
      print name, ranks, stated, replayed, stated == "-" ? "-" : replayed / stated
    }' >>table
}

compare_programs
compare halo 8,16,32,64:128,512 ./patterns halo 4e7 8192
compare everybody 4,8,12,16:64,128 ./patterns everybody 4e7 8192
cat table
