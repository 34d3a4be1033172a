#!/usr/bin/env bash
# accuracy.sh BUILD OUT: records communication patterns and the examples in
# simulated time on a torus and on a fat tree of 2,048 nodes, at 4 to 1,024
# ranks, into OUT, and holds forecasts from the four smallest against the rest,
# as they are and with noise. Runs that are there already are kept, runs that
# take longer than LIMIT seconds (default 500) left out.
set -euo pipefail
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2" && cd "$2"

platform() {  # KIND TOPOLOGY
  cat >"$1.xml" <<XML
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="n" suffix="" radical="0-2047" speed="1Gf" bw="2GBps"
           lat="500ns" $2 sharing_policy="SPLITDUPLEX" loopback_bw="10GBps"
           loopback_lat="50ns"/>
</platform>
XML
}
platform torus 'topology="TORUS" topo_parameters="16,16,8"'
platform fat 'topology="FAT_TREE" topo_parameters="2;32,64;1,16;1,1"'
smpicc -O2 "$here/patterns.c" -o patterns \
  -Wl,--whole-archive "$build/lib/libranksight-smpi.a" \
  -Wl,--no-whole-archive -lzstd -lstdc++ -lm -ldl

simulate() {  # KIND NAME RANKS PROGRAM...
  local trace=$1.$2.$3.trace
  [ -s "$trace" ] && return
  RANKSIGHT_CLOCK=wtime RANKSIGHT_OUTPUT=$trace timeout "${LIMIT:-500}" smpirun -np "$3" \
    -platform "$1.xml" --cfg=smpi/wtime:0 --cfg=smpi/simulate-computation:no \
    --cfg=smpi/allreduce:rdb --cfg=smpi/alltoall:pair \
    --log=root.thresh:critical "${@:4}" >"$trace.log" 2>&1 || true
}
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
for models in joined weighed classic normal-form; do
  for noise in 0 0.02 0.05; do
    repeat=$([ $noise = 0 ] && echo 1 || echo 5)
    echo "== $models, noise $noise"
    "$build/bin/forecast_accuracy" --models $models --noise $noise \
      --repeat "$repeat" ./*.trace
  done
done
