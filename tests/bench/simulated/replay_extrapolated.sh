#!/usr/bin/env bash
# replay_extrapolated.sh BUILD OUT: records patterns and the examples in
# simulated time at a few small rank counts, extrapolates their traces to 4 and
# 16 times the largest, and holds the simulated replay of those against the
# program itself on the same machine. Prints a line for each into OUT/table;
# runs that are there already are kept.
set -euo pipefail
. "$(dirname "$0")/machines.sh"
platform torus 512 'topology="TORUS" topo_parameters="8,8,8"'
patterns
: >table

replayed() {  # TRACE
  simulated_seconds "$1" --platform torus.xml --cfg smpi/allreduce:rdb \
    --cfg smpi/alltoall:pair
}
# compare NAME SIZES PROGRAM...: SIZES as 4,8,16:64,256, inputs and targets.
compare() {
  local name=$1 largest inputs=() size
  for size in $(tr ,: '  ' <<<"$2"); do
    run "$name" "$size" "${@:3}"
  done
  for size in $(tr , ' ' <<<"${2%:*}"); do
    inputs+=("torus.$name.${size%=*}.trace")
    largest=${size%=*}
  done
  printf '%s %s 1 %s %s\n' "$name" "$largest" "$(elapsed "${inputs[-1]}")" \
    "$(replayed "${inputs[-1]}")" >>table
  for size in $(tr , ' ' <<<"${2#*:}"); do
    predict "$name" "$size" "$largest"
  done
}
run() {  # NAME SIZE PROGRAM...
  local ranks dims
  dims_of "$2"
  simulate torus "$1" "$ranks" "${@:3}" "${dims[@]}"
}
predict() {  # NAME SIZE LARGEST: from $inputs
  local ranks dims
  dims_of "$2"
  local guess=guess.$1.$ranks.trace
  if ! "$build/bin/ranksight" extrapolate "${inputs[@]}" --ranks "$ranks" \
    "${dims[@]}" -o "$guess" >"$guess.log" 2>&1; then
    printf '%s refused at %s: %s\n' "$1" "$ranks" "$(tail -1 "$guess.log")" \
      >>table
    return
  fi
  printf '%s %s %s %s %s\n' "$1" "$ranks" $((ranks / $3)) \
    "$(elapsed "torus.$1.$ranks.trace")" "$(replayed "$guess")" >>table
}

compare_programs
awk '$3 ~ /^[0-9]+$/ && NF == 5 {
  printf "| %s | %d | %d x | %.6g | %.6g | %.4f |\n", $1, $2, $3, $4, $5, $5 / $4
  next } { print }' table
