#!/usr/bin/env bash
# accuracy.sh BUILD OUT: records communication patterns and the examples in
# simulated time on a torus and on a fat tree of 512 nodes, at 8 to 256 ranks,
# into OUT, and holds forecasts from the four smallest against the rest. Runs
# that are there already are kept. Takes about half an hour on one core.
set -euo pipefail
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2" && cd "$2"

platform() {  # KIND TOPOLOGY
  cat >"$1.xml" <<XML
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="n" suffix="" radical="0-511" speed="1Gf" bw="2GBps"
           lat="500ns" $2 sharing_policy="SPLITDUPLEX" loopback_bw="10GBps"
           loopback_lat="50ns"/>
</platform>
XML
}
platform torus 'topology="TORUS" topo_parameters="8,8,8"'
platform fat 'topology="FAT_TREE" topo_parameters="2;16,32;1,8;1,1"'
smpicc -O2 "$here/patterns.c" -o patterns \
  -Wl,--whole-archive "$build/lib/libranksight-smpi.a" \
  -Wl,--no-whole-archive -lzstd -lstdc++ -lm -ldl

simulate() {  # KIND NAME RANKS PROGRAM...
  local trace=$1.$2.$3.trace
  [ -s "$trace" ] && return
  RANKSIGHT_CLOCK=wtime RANKSIGHT_OUTPUT=$trace smpirun -np "$3" \
    -platform "$1.xml" --cfg=smpi/wtime:0 --cfg=smpi/simulate-computation:no \
    --cfg=smpi/allreduce:rdb --cfg=smpi/alltoall:pair \
    --log=root.thresh:critical "${@:4}" >"$trace.log" 2>&1
}
for kind in torus fat; do
  for ranks in 8 16 32 64 128 256; do
    simulate $kind transpose $ranks ./patterns transpose 2e7 4000000
    simulate $kind ring $ranks ./patterns ring 4e7 100000
    simulate $kind butterfly $ranks ./patterns butterfly 4e6 20000
    simulate $kind gradient $ranks ./patterns gradient 2e7 200000
    simulate $kind master $ranks ./patterns master 4e7 2000
    simulate $kind sweep $ranks ./patterns sweep 4e7 2000
  done
  for ranks in 9 16 25 36 64 144 256; do
    simulate $kind stencil-weak $ranks "$build/bin/smpi/stencil2d.recorded" \
      --size 256x256 --steps 10 --work-ns 100000
    simulate $kind stencil-strong $ranks "$build/bin/smpi/stencil2d.recorded" \
      --global 1024x1024 --steps 10 --work-ns $((4000000 / ranks))
  done
done
for family in weighed classic normal-form; do
  echo "== $family"
  "$build/bin/forecast_accuracy" --models $family ./*.trace
done
