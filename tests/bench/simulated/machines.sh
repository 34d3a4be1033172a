# Simulated machines and runs on them. Sourced by scripts that are called with
# BUILD OUT ...: sets $build and makes OUT the current folder. Runs that are
# there already are kept, runs that take longer than LIMIT seconds (default 500)
# left out.
# shellcheck shell=bash disable=SC2034,SC2164
build=$(cd "$1" && pwd)
simulated=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$2" && cd "$2"
hosts=()  # -hostfile FILE: places of the ranks, in turn
. "$simulated/../seconds.sh"

platform() {  # KIND NODES TOPOLOGY
  cat >"$1.xml" <<XML
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="n" suffix="" radical="0-$(($2 - 1))" speed="1Gf"
           bw="2GBps" lat="500ns" $3 sharing_policy="SPLITDUPLEX"
           loopback_bw="10GBps" loopback_lat="50ns"/>
</platform>
XML
}
# KIND: KIND.json, times of messages between its first two nodes.
measure() {
  [ -s "$1.json" ] || smpirun -np 2 -platform "$1.xml" --cfg=smpi/wtime:0 \
    --cfg=smpi/simulate-computation:no --log=root.thresh:critical \
    "$build/bin/ranksight-measure-smpi" --messages >"$1.json"
}
with_runtime() {  # OUT SOURCES...: an SMPI program with the runtime in it
  smpicc -O2 "${@:2}" -o "$1" \
    -Wl,--whole-archive "$build/lib/libranksight-smpi.a" \
    -Wl,--no-whole-archive -lzstd -lstdc++ -lm -ldl
}
patterns() {  # makes ./patterns
  with_runtime patterns "$simulated/patterns.c"
}
dims_of() {  # SIZE: sets $ranks and $dims; a size may say its grid, 4=2x2,
  # since SMPI's MPI_Dims_create makes 9x1 of 9
  ranks=${1%=*} dims=()
  [ "$ranks" = "$1" ] || dims=(--dims "${1#*=}")
}
# KIND NAME RANKS PROGRAM...: KIND.NAME.RANKS.trace. SMPI's own allgather, which
# the runtime calls once, takes a simulator's time by the cube of the ranks.
simulate() {
  local trace=$1.$2.$3.trace
  [ -s "$trace" ] && return
  RANKSIGHT_CLOCK=wtime RANKSIGHT_OUTPUT=$trace timeout "${LIMIT:-500}" \
    smpirun -np "$3" -platform "$1.xml" "${hosts[@]}" --cfg=smpi/wtime:0 \
    --cfg=smpi/simulate-computation:no --cfg=smpi/allreduce:rdb \
    --cfg=smpi/alltoall:pair --cfg=smpi/alltoallv:pair \
    --cfg=smpi/allgather:rdb --log=root.thresh:critical "${@:4}" \
    >"$trace.log" 2>&1 || true
}
# Calls compare NAME SIZES PROGRAM... for the examples and the patterns.
compare_programs() {
  local stencil2d=$build/bin/smpi/stencil2d.recorded
  local stencil3d=$build/bin/smpi/stencil3d.recorded
  compare stencil2d 4=2x2,9=3x3,16=4x4,25=5x5:100=10x10,400=20x20 "$stencil2d" \
    --size 128x128 --steps 10 --work-ns 100000
  compare stencil2d-no-work 4=2x2,9=3x3,16=4x4,25=5x5:100=10x10,400=20x20 \
    "$stencil2d" --size 128x128 --steps 10
  compare stencil3d 8=2x2x2,12=3x2x2,18=3x3x2,27=3x3x3:108=6x6x3,432=9x8x6 \
    "$stencil3d" --size 16x16x16 --steps 10 --work-ns 100000
  compare ring 2,4,8,16:64,256 ./patterns ring 4e7 98304
  compare transpose 2,4,8,16:64,256 ./patterns transpose 2e7 4194304
  compare butterfly 2,4,8,16:64,256 ./patterns butterfly 4e6 20000
  compare gradient 2,4,8,16:64,256 ./patterns gradient 2e7 196608
  compare sweep 4,8,16,32:128,512 ./patterns sweep 4e7 2000
}
