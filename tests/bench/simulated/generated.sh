#!/usr/bin/env bash
# generated.sh BUILD OUT: records patterns and the examples in simulated time,
# and holds the programs generated from their traces against them, on the same
# machine: one of fixed size at the rank count recorded, and the self-sizing
# one from smaller runs at rank counts that were never traced. Prints a line
# for each; runs that are there already are kept.
set -euo pipefail
. "$(dirname "$0")/machines.sh"
platform torus 512 'topology="TORUS" topo_parameters="8,8,8"'
patterns

# program TRACE FOLDER: generates and builds FOLDER/run, with the runtime in it.
program() {
  rm -rf "$2"
  "$build/bin/ranksight" generate "$1" --to c -o "$2" >"$2.log"
  with_runtime "$2/run" "$2"/*.c
}
line() {  # NAME RANKS KIND TRACE
  awk -v n="$1" -v r="$2" -v k="$3" -v a="$(elapsed "torus.$1.$2.trace")" \
    -v b="$(elapsed "$4")" \
    'BEGIN { printf "| %s | %d | %s | %.6g | %.6g | %.4f |\n", n, r, k, a, b,
             b / a }'
}
# compare NAME SIZES PROGRAM...: SIZES as 4,8,16:64,256, inputs and targets.
compare() {
  local name=$1 sizes=$2 size ranks dims inputs=()
  shift 2
  for size in ${sizes//[,:]/ }; do
    dims_of "$size"
    simulate torus "$name" "$ranks" "$@" "${dims[@]}"
  done
  for size in $(tr , ' ' <<<"${sizes%:*}"); do
    inputs+=("torus.$name.${size%=*}.trace")
  done
  ranks=${size%=*}
  program "${inputs[-1]}" "fixed.$name"
  simulate torus "fixed.$name" "$ranks" "fixed.$name/run" --sleep
  line "$name" "$ranks" fixed "torus.fixed.$name.$ranks.trace"
  if ! "$build/bin/ranksight" extrapolate "${inputs[@]}" --ranks "$ranks" \
    --symbolic -o "laws.$name.trace" >"laws.$name.log" 2>&1; then
    echo "| $name | refused: $(tail -1 "laws.$name.log") |"
    return
  fi
  program "laws.$name.trace" "any.$name"
  for size in $(tr , ' ' <<<"${sizes#*:}"); do
    dims_of "$size"
    simulate torus "any.$name" "$ranks" "any.$name/run" --sleep "${dims[@]}"
    line "$name" "$ranks" self-sizing "torus.any.$name.$ranks.trace"
  done
}

stencil2d=$build/bin/smpi/stencil2d.recorded
stencil3d=$build/bin/smpi/stencil3d.recorded
echo "| program | ranks | generated | its own time, s | generated, s | ratio |"
echo "|---|---|---|---|---|---|"
compare stencil2d 4=2x2,9=3x3,16=4x4,25=5x5:100=10x10 "$stencil2d" \
  --size 128x128 --steps 10 --work-ns 100000
compare stencil3d 8=2x2x2,12=3x2x2,18=3x3x2,27=3x3x3:108=6x6x3 "$stencil3d" \
  --size 16x16x16 --steps 10 --work-ns 100000
compare ring 2,4,8,16:64 ./patterns ring 4e7 98304
compare transpose 2,4,8,16:64 ./patterns transpose 2e7 4194304
compare butterfly 2,4,8,16:64 ./patterns butterfly 4e6 20000
compare gradient 2,4,8,16:64 ./patterns gradient 2e7 196608
compare sweep 4,8,16,32:64 ./patterns sweep 4e7 2000
