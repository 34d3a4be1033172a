#!/usr/bin/env bash
# accuracy.sh BUILD OUT [PART...]: records communication patterns and the
# examples in simulated time on a torus and on a fat tree of 2,048 nodes, at 2
# to LARGEST ranks (default 512), into OUT, and holds forecasts from few ranks
# against larger runs. Runs that are there already are kept, runs that take
# longer than LIMIT seconds (default 500) left out. Parts, by default all, after
# one another:
#   runs    the recordings, most of the time; LARGEST=2048 takes some hours more
#   links   from 4, 8, 16 and 32 ranks, the links of the machine known
#   noise   the same with 2 % and 5 % of noise and five repetitions
#   models  the same without links and noise, by every family of models
#   far     from 2, 4, 8 and 16 ranks to 256 and more, the links known
set -euo pipefail
. "$(dirname "$0")/machines.sh"
parts=("${@:3}")
[ ${#parts[@]} -gt 0 ] || parts=(runs links noise models far)
sizes() {  # FROM TO: those that are run
  local ranks
  for ranks in 2 4 8 16 32 64 128 256 512 2048; do
    [ $ranks -lt "$1" ] || [ $ranks -gt "$2" ] || echo $ranks
  done
}
runs() {
  local ranks kind stencil=$build/bin/smpi/stencil2d.recorded
  [ -e patterns ] || patterns
  platform torus 2048 'topology="TORUS" topo_parameters="16,16,8"'
  platform fat 2048 'topology="FAT_TREE" topo_parameters="2;32,64;1,16;1,1"'
  # SMPI puts ranks on the hosts in the order of their names.
  seq 0 2047 | sed 's/^/n/' | LC_ALL=C sort | tr -d n >nodes.txt
  # Powers of two, of which SMPI's MPI_Dims_create makes grids; of 9 and 25
  # ranks it makes lines, and of 36 a grid of 9 by 4, which are other programs.
  for ranks in $(sizes 2 "${LARGEST:-512}"); do
    for kind in torus fat; do
      if [ "$ranks" -le 256 ]; then
        simulate $kind transpose "$ranks" ./patterns transpose 2e7 4000000
        simulate $kind ring "$ranks" ./patterns ring 4e7 100000
      fi
      simulate $kind butterfly "$ranks" ./patterns butterfly 4e6 20000
      simulate $kind gradient "$ranks" ./patterns gradient 2e7 200000
      simulate $kind master "$ranks" ./patterns master 4e7 2000
      simulate $kind sweep "$ranks" ./patterns sweep 4e7 2000
      simulate $kind stencil-weak "$ranks" "$stencil" \
        --size 256x256 --steps 10 --work-ns 100000
      simulate $kind stencil-strong "$ranks" "$stencil" \
        --global 1024x1024 --steps 10 --work-ns $((16000000 / ranks))
    done
    echo "recorded at $ranks ranks after $SECONDS s"
  done
}
traces() {  # KIND SIZES...: sets $traces
  local ranks
  traces=()
  for ranks in "${@:2}"; do
    for trace in "$1".*."$ranks".trace; do
      [ ! -s "$trace" ] || traces+=("./$trace")
    done
  done
}
forecasts() {  # TITLE OPTIONS AND TRACES...
  echo "== $1"
  "$build/bin/forecast_accuracy" "${@:2}"
}
on_links() {  # TITLE "SIZES..." OPTIONS...: on both machines
  local links=(--models joined --nodes nodes.txt)
  # shellcheck disable=SC2086
  traces torus $2
  forecasts "$1, links of the torus" "${links[@]}" --torus 16x16x8 \
    --order ZYXT "${@:3}" "${traces[@]}"
  # shellcheck disable=SC2086
  traces fat $2
  forecasts "$1, links of the fat tree" "${links[@]}" --tree 32,16 "${@:3}" \
    "${traces[@]}"
}
links() { on_links "from 4 to 32 ranks" "$(sizes 4 2048)"; }
noise() {
  local noise
  for noise in 0.02 0.05; do
    on_links "noise $noise" "$(sizes 4 2048)" --noise $noise --repeat 5
  done
}
models() {
  local models all
  # shellcheck disable=SC2046
  traces torus $(sizes 4 2048) && all=("${traces[@]}")
  # shellcheck disable=SC2046
  traces fat $(sizes 4 2048) && all+=("${traces[@]}")
  for models in joined weighed classic normal-form; do
    forecasts "$models, no links" --models $models "${all[@]}"
  done
}
far() { on_links "from 2 to 16 ranks" "$(sizes 2 16) $(sizes 256 2048)"; }
for part in "${parts[@]}"; do
  case $part in
    runs | links | noise | models | far) $part ;;
    *) echo "accuracy.sh: no part $part" >&2 && exit 2 ;;
  esac
done
echo "== all after $SECONDS s"
