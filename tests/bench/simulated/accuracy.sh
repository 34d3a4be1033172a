#!/usr/bin/env bash
# accuracy.sh BUILD OUT: records communication patterns and the examples in
# simulated time on a torus and on a fat tree of 2,048 nodes, at 2 to 1,024
# ranks, into OUT, and holds forecasts from four sizes against the larger ones,
# as they are and with noise: near from 4 to 32 ranks (stencils 9 to 36), far
# from at most 16 (stencils 25). Runs that are there already are kept, runs that
# take longer than LIMIT seconds (default 500) left out.
set -euo pipefail
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2" && cd "$2"

. "$here/machines.sh"
platform torus 2048 'topology="TORUS" topo_parameters="16,16,8"'
platform fat 2048 'topology="FAT_TREE" topo_parameters="2;32,64;1,16;1,1"'
patterns
# Ranks of the patterns, and of the stencils.
for sizes in "4 9" "8 9" "16 16" "32 25" "64 36" "128 64" "256 144" "512 256" \
  "1024 576"; do
  read -r ranks square <<<"$sizes"
  for kind in torus fat; do
    if [ "$ranks" -le 256 ]; then
      simulate $kind transpose "$ranks" ./patterns transpose 2e7 4000000
      simulate $kind ring "$ranks" ./patterns ring 4e7 100000
    fi
    simulate $kind butterfly "$ranks" ./patterns butterfly 4e6 20000
    simulate $kind gradient "$ranks" ./patterns gradient 2e7 200000
    simulate $kind master "$ranks" ./patterns master 4e7 2000
    simulate $kind sweep "$ranks" ./patterns sweep 4e7 2000
    simulate $kind stencil-weak "$square" "$build/bin/smpi/stencil2d.recorded" \
      --size 256x256 --steps 10 --work-ns 100000
    simulate $kind stencil-strong "$square" \
      "$build/bin/smpi/stencil2d.recorded" \
      --global 1024x1024 --steps 10 --work-ns $((16000000 / square))
  done
done
for kind in torus fat; do
  simulate $kind butterfly 2 ./patterns butterfly 4e6 20000
  simulate $kind gradient 2 ./patterns gradient 2e7 200000
  simulate $kind ring 12 ./patterns ring 4e7 100000
  simulate $kind master 12 ./patterns master 4e7 2000
  simulate $kind sweep 12 ./patterns sweep 4e7 2000
  simulate $kind stencil-weak 4 "$build/bin/smpi/stencil2d.recorded" \
    --size 256x256 --steps 10 --work-ns 100000
  simulate $kind stencil-strong 4 "$build/bin/smpi/stencil2d.recorded" \
    --global 1024x1024 --steps 10 --work-ns 4000000
done
near=() far=(./*.trace)
for trace in "${far[@]}"; do
  case $trace in
    *.2.trace | *.12.trace | *.stencil-*.4.trace) ;;
    *) near+=("$trace") ;;
  esac
done
for models in joined weighed classic normal-form; do
  for noise in 0 0.02 0.05; do
    repeat=$([ $noise = 0 ] && echo 1 || echo 5)
    echo "== near, $models, noise $noise"
    "$build/bin/forecast_accuracy" --models $models --noise $noise \
      --repeat "$repeat" "${near[@]}"
    echo "== far, $models, noise $noise"
    "$build/bin/forecast_accuracy" --models $models --noise $noise \
      --repeat "$repeat" "${far[@]}"
  done
done
