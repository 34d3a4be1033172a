#!/usr/bin/env bash
# accuracy.sh BUILD OUT: records communication patterns and the examples in
# simulated time on a torus and on a fat tree of 2,048 nodes, at 4 to 2,048
# ranks, into OUT, and holds forecasts from 4, 8, 16 and 32 ranks against the
# larger runs, with the links of the machine known and not, as they are and with
# noise. Runs that are there already are kept, runs that take longer than LIMIT
# seconds (default 500) left out.
set -euo pipefail
. "$(dirname "$0")/machines.sh"
platform torus 2048 'topology="TORUS" topo_parameters="16,16,8"'
platform fat 2048 'topology="FAT_TREE" topo_parameters="2;32,64;1,16;1,1"'
patterns
# SMPI puts ranks on the hosts in the order of their names.
seq 0 2047 | sed 's/^/n/' | LC_ALL=C sort | tr -d n >nodes.txt
# Powers of two, of which SMPI's MPI_Dims_create makes grids; of 9 and 25 ranks
# it makes lines, and of 36 a grid of 9 by 4, which are other programs.
for ranks in 4 8 16 32 64 128 512 2048; do
  for kind in torus fat; do
    if [ "$ranks" -le 256 ]; then
      simulate $kind transpose "$ranks" ./patterns transpose 2e7 4000000
      simulate $kind ring "$ranks" ./patterns ring 4e7 100000
    fi
    simulate $kind butterfly "$ranks" ./patterns butterfly 4e6 20000
    simulate $kind gradient "$ranks" ./patterns gradient 2e7 200000
    simulate $kind master "$ranks" ./patterns master 4e7 2000
    simulate $kind sweep "$ranks" ./patterns sweep 4e7 2000
    simulate $kind stencil-weak "$ranks" "$build/bin/smpi/stencil2d.recorded" \
      --size 256x256 --steps 10 --work-ns 100000
    simulate $kind stencil-strong "$ranks" \
      "$build/bin/smpi/stencil2d.recorded" \
      --global 1024x1024 --steps 10 --work-ns $((16000000 / ranks))
  done
done
for noise in 0 0.02 0.05; do
  repeat=$([ $noise = 0 ] && echo 1 || echo 5)
  forecasts() {  # TITLE OPTIONS AND TRACES...
    echo "== $1, noise $noise"
    "$build/bin/forecast_accuracy" --noise $noise --repeat "$repeat" "${@:2}"
  }
  links=(--models joined --nodes nodes.txt)
  forecasts "links of the torus" "${links[@]}" --torus 16x16x8 --order ZYXT \
    ./torus.*.trace
  forecasts "links of the fat tree" "${links[@]}" --tree 32,16 ./fat.*.trace
  for models in joined weighed classic normal-form; do
    forecasts $models --models $models ./*.trace
  done
done
