#!/usr/bin/env bash
# calibration.sh BUILD OUT [SEEDS]: how far off forecasts at 4, 8 and 16 times the
# largest of four small runs are, how often their intervals hold, and how many are
# refused, in two halves: constants of the model are chosen on programs of odd
# seeds, and figures told of those of even ones. A seed draws the work and the
# bytes of each pattern (default seeds: 1 2 3 4), both on a torus and on a fat
# tree of 512 nodes in simulated time, links named and messages measured. Runs
# that are there already are kept, those longer than LIMIT seconds left out.
set -euo pipefail
. "$(dirname "$0")/machines.sh"
read -ra seeds <<<"${3:-1 2 3 4}"
platform torus 512 'topology="TORUS" topo_parameters="8,8,8"'
platform fat 512 'topology="FAT_TREE" topo_parameters="2;16,32;1,8;1,1"'
seq 0 511 | sed 's/^/n/' >hosts
seq 0 511 >nodes.txt
hosts=(-hostfile hosts)
[ -e patterns ] || patterns
small=("2 4 8 16" "4 8 12 16")
powers=(butterfly gradient transpose ring)
others=(sweep halo master everybody square deal collect report tell tally)

# WHAT SEED: a number between 0 and 1 that the two decide.
drawn() { cksum <<<"$1 $2" | awk '{printf "%.6f", ($1 % 99991) / 99991}'; }
record() {  # NAME SIZES...: on both machines, by every seed
  local kind seed size work bytes
  for seed in "${seeds[@]}"; do
    work=$(awk -v u="$(drawn "$1 work" "$seed")" 'BEGIN {printf "%.4e", 5e6 * 12 ^ u}')
    bytes=$(awk -v u="$(drawn "$1 bytes" "$seed")" 'BEGIN {printf "%d", 300 * 300 ^ u}')
    # Whole data that ranks share.
    case $1 in transpose | ring | gradient) bytes=$((bytes * 20)) ;; esac
    # What rank 0 deals out and gets back takes as long as what is done with it.
    case $1 in deal | collect | report | tell | tally)
      work=$(awk -v w="$work" 'BEGIN {printf "%.4e", w / 50}') ;;
    esac
    for kind in torus fat; do
      for size in "${@:2}"; do
        simulate $kind "$1-$seed" "$size" ./patterns "$1" "$work" "$bytes"
      done
    done
  done
}
add() {  # KIND PARITY "PROGRAMS..." "SIZES..." : to $traces, those that are there
  local program seed size
  for program in $3; do
    for seed in "${seeds[@]}"; do
      [ $((seed % 2)) = "$2" ] || continue
      for size in $4 64 128 256; do
        [ ! -s "$1.$program-$seed.$size.trace" ] ||
          traces+=("./$1.$program-$seed.$size.trace")
      done
    done
  done
}
# A program that is too long at one rank count is so at larger ones.
for program in "${powers[@]}"; do
  # shellcheck disable=SC2086
  record "$program" ${small[0]}
done
for program in "${others[@]}"; do
  # shellcheck disable=SC2086
  record "$program" ${small[1]}
done
for size in 64 128 256; do
  for program in "${powers[@]}" "${others[@]}"; do record "$program" $size; done
done
links() {  # KIND
  [ "$1" = torus ] && echo --torus 8x8x8 --order ZYXT || \
    echo --topology fat-tree:16x32:1x8
}
for half in 1 0; do
  [ $half = 1 ] && echo "== constants are chosen on" || echo "== figures are told of"
  : >"points.$half"
  for kind in torus fat; do
    measure $kind
    traces=()
    add $kind $half "${powers[*]}" "${small[0]}"
    add $kind $half "${others[*]}" "${small[1]}"
    # shellcheck disable=SC2046
    "$build/bin/forecast_accuracy" --models joined --nodes nodes.txt \
      $(links $kind) --messages $kind.json --points "points.$half" \
      "${traces[@]}"
  done
  "$build/bin/forecast_accuracy" --summary "points.$half"
done
