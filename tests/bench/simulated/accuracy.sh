#!/usr/bin/env bash
# accuracy.sh BUILD OUT [PART...]: records communication patterns and the
# examples in simulated time on a torus and on a fat tree of 2,048 nodes, at 2
# to LARGEST ranks (default 512), into OUT, and holds forecasts from few ranks
# against larger runs. Runs that are there already are kept, runs that take
# longer than LIMIT seconds (default 500) left out. Parts, by default all, after
# one another:
#   runs    the recordings, most of the time; LARGEST=2048 takes some hours more
#   links   from 4, 8, 16 and 32 ranks, the links of the machine known, and
#           times of messages measured on it, too
#   noise   the same with 2 % and 5 % of noise and five repetitions
#   models  the same without links and noise, by every family of models
#   far     from 4, 8, 12 and 16 ranks, or 2, 4, 8 and 16 where a program needs
#           powers of two, to 64, 256 and 1,024, the links known; after runs, whose
#           traces it takes. Records 12 and 1,024 ranks, half an hour more
#   nas FOLDER  the NAS benchmarks built in FOLDER (NPB3.4-MPI), each from four
#           sizes (nas.sh); not by default. An hour, most of it LU at 256 ranks
set -euo pipefail
parts=("${@:3}")
[ ${#parts[@]} -gt 0 ] || parts=(runs links noise models far)
for i in "${!parts[@]}"; do
  [ "${parts[i]}" != nas ] || nas_folder=$(realpath "${parts[i + 1]}")
done
. "$(dirname "$0")/machines.sh"
. "$simulated/nas.sh"
sizes() {  # FROM TO: those that are run
  local ranks
  for ranks in 2 4 8 16 32 64 128 256 512 2048; do
    [ $ranks -lt "$1" ] || [ $ranks -gt "$2" ] || echo $ranks
  done
}
machines() {
  [ -e patterns ] || patterns
  platform torus 2048 'topology="TORUS" topo_parameters="16,16,8"'
  platform fat 2048 'topology="FAT_TREE" topo_parameters="2;32,64;1,16;1,1"'
  # SMPI puts ranks on the hosts in the order of their names.
  seq 0 2047 | sed 's/^/n/' | LC_ALL=C sort | tr -d n >nodes.txt
}
# Programs that need a power of two, and those that do not.
powers=(butterfly gradient ring transpose)
others=(master sweep stencil-weak stencil-strong)
record() {  # PROGRAM RANKS: on both machines
  local kind program=(./patterns "$1")
  local stencil=$build/bin/smpi/stencil2d.recorded
  case $1 in
    transpose) program+=(2e7 4000000) ;;
    ring) program+=(4e7 100000) ;;
    butterfly) program+=(4e6 20000) ;;
    gradient) program+=(2e7 200000) ;;
    master | sweep) program+=(4e7 2000) ;;
    stencil-weak)
      program=("$stencil" --size 256x256 --steps 10 --work-ns 100000) ;;
    stencil-strong)
      program=("$stencil" --global 1024x1024 --steps 10
        --work-ns $((16000000 / $2))) ;;
  esac
  case $1 in  # whose messages are the square of the ranks
    transpose | ring) [ "$2" -le 256 ] || return 0 ;;
  esac
  for kind in torus fat; do simulate $kind "$1" "$2" "${program[@]}"; done
}
runs() {
  local ranks program
  machines
  # Powers of two, of which SMPI's MPI_Dims_create makes grids; of 9 and 25
  # ranks it makes lines, and of 36 a grid of 9 by 4, which are other programs.
  for ranks in $(sizes 2 "${LARGEST:-512}"); do
    for program in "${powers[@]}" "${others[@]}"; do
      record "$program" "$ranks"
    done
    echo "recorded at $ranks ranks after $SECONDS s"
  done
}
add_traces() {  # KIND "PROGRAMS..." SIZES...: to $traces, those that are there
  local ranks program
  for program in $2; do
    for ranks in "${@:3}"; do
      [ ! -s "$1.$program.$ranks.trace" ] ||
        traces+=("./$1.$program.$ranks.trace")
    done
  done
}
forecasts() {  # TITLE OPTIONS AND TRACES...
  echo "== $1"
  "$build/bin/forecast_accuracy" "${@:2}"
}
on_links() {  # TITLE OF OPTIONS...: on both machines, from what OF KIND sets
  on_machine torus "$1, links of the torus" "$2" --torus 16x16x8 --order ZYXT \
    "${@:3}"
  on_machine fat "$1, links of the fat tree" "$2" --topology fat-tree:32x64:1x16 "${@:3}"
}
on_machine() {  # KIND TITLE OF OPTIONS...: without and with measured messages
  measure "$1"
  "$3" "$1"
  local all=(--models joined --nodes nodes.txt "${@:4}")
  forecasts "$2" "${all[@]}" "${traces[@]}"
  forecasts "$2, messages measured" "${all[@]}" --messages "$1.json" \
    "${traces[@]}"
}
# shellcheck disable=SC2046
of_powers() {  # KIND
  traces=()
  add_traces "$1" "${powers[*]} ${others[*]}" $(sizes 4 2048)
}
of_few() {  # KIND
  traces=()
  add_traces "$1" "${powers[*]}" 2 4 8 16 64 256 1024
  add_traces "$1" "${others[*]}" 4 8 12 16 64 256 1024
}
links() { on_links "from 4 to 32 ranks" of_powers; }
noise() {
  local noise
  for noise in 0.02 0.05; do
    on_links "noise $noise" of_powers --noise $noise --repeat 5
  done
}
models() {
  local models all
  of_powers torus && all=("${traces[@]}")
  of_powers fat && all+=("${traces[@]}")
  for models in joined weighed classic normal-form; do
    forecasts "$models, no links" --models $models "${all[@]}"
  done
}
far() {
  local program
  machines
  for program in "${others[@]}"; do record "$program" 12; done
  for program in "${powers[@]}" "${others[@]}"; do record "$program" 1024; done
  on_links "from 16 ranks at most" of_few
}
set -- "${parts[@]}"
while [ $# -gt 0 ]; do
  case $1 in
    runs | links | noise | models | far) $1 ;;
    nas) nas "$nas_folder" && shift ;;
    *) echo "accuracy.sh: no part $1" >&2 && exit 2 ;;
  esac
  shift
done
echo "== all after $SECONDS s"
