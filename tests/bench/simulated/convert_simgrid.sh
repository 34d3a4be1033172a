#!/usr/bin/env bash
# convert_simgrid.sh BUILD OUT [TRACE...]: records patterns and the examples in
# simulated time, where computation is what the program says, and holds
# SimGrid's own replay of the converted trace against `ranksight simulate` of
# the trace on the same machine, both with the mean computation of each call
# site. Prints a line for each, and for traces of up to 64 ranks recorded
# elsewhere; runs that are there already are kept.
set -euo pipefail
traces=()
for trace in "${@:3}"; do traces+=("$(realpath "$trace")"); done
. "$(dirname "$0")/machines.sh"
platform torus 64 'topology="TORUS" topo_parameters="4,4,4"'
platform flat 64 ''
patterns
algorithms=(smpi/allreduce:rdb smpi/alltoall:pair)

replayed() {  # MACHINE TRACE
  simulated_seconds "$2" --platform "$1.xml" --mean-compute \
    --cfg "${algorithms[0]}" --cfg "${algorithms[1]}"
}
converted() {  # MACHINE RANKS TRACE: seconds, by SimGrid alone
  rm -rf actions
  "$build/bin/ranksight" convert "$3" --to simgrid -o actions >actions.log 2>&1
  (cd actions && smpirun -np "$2" -platform "../$1.xml" \
    -replay trace.txt --cfg=smpi/host-speed:1Gf --cfg="${algorithms[0]}" \
    --cfg="${algorithms[1]}" 2>&1) | tee smpirun.log |
    sed -n 's/.*Simulation time \([0-9.e+-]*\).*/\1/p'
}
both() {  # MACHINE NAME RANKS TRACE
  local a b
  a=$(replayed "$1" "$4")
  b=$(converted "$1" "$3" "$4")
  awk -v n="$2" -v r="$3" -v m="$1" -v a="$a" -v b="$b" \
    'BEGIN { printf "| %s | %d | %s | %.6g | %.6g | %.4f |\n", n, r, m, a, b,
             b / a }'
}
compare() {  # NAME RANKS PROGRAM...
  local machine
  for machine in torus flat; do
    simulate "$machine" "$@"
    both "$machine" "$1" "$2" "$machine.$1.$2.trace"
  done
}

echo "| pattern | ranks | machine | simulate, s | SimGrid's replay, s | ratio |"
echo "|---|---|---|---|---|---|"
compare stencil2d 16 "$build/bin/smpi/stencil2d.recorded" --size 128x128 \
  --steps 20 --work-ns 100000
compare stencil3d 64 "$build/bin/smpi/stencil3d.recorded" --size 16x16x16 \
  --steps 20 --work-ns 100000
compare ring 16 ./patterns ring 4e7 98304
compare transpose 16 ./patterns transpose 2e7 4194304
compare butterfly 64 ./patterns butterfly 4e6 20000
compare gradient 64 ./patterns gradient 2e7 196608
compare sweep 64 ./patterns sweep 4e7 2000
for trace in ${traces[@]+"${traces[@]}"}; do
  read -r name ranks < <("$build/bin/ranksight" show "$trace" --json |
    python3 -c 'import json, sys; t = json.load(sys.stdin)
print(t["program"], t["ranks"])')
  for machine in torus flat; do both "$machine" "$name" "$ranks" "$trace"; done
done
