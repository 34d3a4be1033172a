#!/usr/bin/env bash
# mapping_gain.sh BUILD OUT CG_TRACES...: the simulated communication time of
# a 3-D stencil, of a transpose on a square of ranks, and of NAS CG (from traces
# of a few small rank counts), with the default mapping and with the one that
# `ranksight map` finds, on five-dimensional tori.
set -euo pipefail
cg=()
for trace in "${@:3}"; do cg+=("$(realpath "$trace")"); done
. "$(dirname "$0")/machines.sh"
platform torus 64 'topology="TORUS" topo_parameters="4,4,4"'
patterns
seconds() {  # TRACE TORUS OPTIONS...
  simulated_seconds "$1" --torus "$2" --routing 2+ --no-compute "${@:3}"
}
gain() {  # NAME TRACE TORUS OPTIONS...
  "$build/bin/ranksight" map "$2" --torus "$3" --routing 2+ -o "$1.map" --json >"$1.json"
  local before after
  before=$(seconds "$2" "$3" "${@:4}")
  after=$(seconds "$2" "$3" --map "$1.map" "${@:4}")
  awk -v n="$1" -v t="$3" -v a="$before" -v b="$after" 'BEGIN {
    printf "| %s | %s | %.6g s | %.6g s | %.1f %% |\n", n, t, a, b,
           100 * (1 - b / a) }'
}
extrapolated() {  # OUT OPTIONS...
  [ -s "$1" ] || "$build/bin/ranksight" extrapolate "${@:2}" -o "$1" >"$1.log" 2>&1
}

simulate torus square 64 ./patterns square 0 65536
gain square torus.square.64.trace bgq:64
if [ ${#cg[@]} -gt 0 ]; then
  extrapolated cg.64.trace "${cg[@]}" --ranks 64
  gain cg cg.64.trace bgq:64 --bytes-scale 16
fi
for size in 8=2x2x2 12=3x2x2 18=3x3x2 27=3x3x3; do
  simulate torus stencil3d "${size%=*}" "$build/bin/smpi/stencil3d.recorded" \
    --size 64x64x64 --steps 5 --periodic --dims "${size#*=}"
done
extrapolated stencil3d.128.trace torus.stencil3d.{8,12,18,27}.trace \
  --ranks 128 --dims 8x4x4
gain stencil3d stencil3d.128.trace bgq:128
