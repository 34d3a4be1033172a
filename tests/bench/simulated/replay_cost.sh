#!/usr/bin/env bash
# replay_cost.sh BUILD OUT [STEPS]: processor time of simulating a stencil on
# 1,024 ranks (torus 16x8x8), the program itself and the replay of its trace
# (extrapolated from 4 to 25 ranks), at 2 and at STEPS steps (default 12): what
# a step costs is the difference.
set -euo pipefail
. "$(dirname "$0")/machines.sh"
platform torus 1024 'topology="TORUS" topo_parameters="16,8,8"'
for steps in 2 "${3:-12}"; do
  arguments=(--size 16x16 --steps "$steps" --work-ns 20000 --periodic)
  inputs=()
  for dims in 2x2 3x3 4x4 5x5; do
    ranks=$((${dims%x*} * ${dims#*x}))
    simulate torus "cost$steps" $ranks "$build/bin/smpi/stencil2d.recorded" \
      "${arguments[@]}" --dims $dims
    inputs+=("torus.cost$steps.$ranks.trace")
  done
  "$build/bin/ranksight" extrapolate "${inputs[@]}" --ranks 1024 --dims 32x32 \
    -o "cost$steps.1024.trace" >"cost$steps.log" 2>&1
  /usr/bin/time -f "program, $steps steps: %U s user, %S s system, %M KB" \
    smpirun -np 1024 -platform torus.xml --cfg=smpi/wtime:0 \
    --cfg=smpi/simulate-computation:no --log=root.thresh:critical \
    "$build/bin/smpi/stencil2d" "${arguments[@]}" --dims 32x32 >/dev/null
  /usr/bin/time -f "replay, $steps steps: %U s user, %S s system, %M KB" \
    "$build/bin/ranksight" simulate "cost$steps.1024.trace" --platform torus.xml
done
