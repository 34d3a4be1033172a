#!/usr/bin/env bash
# tuning_gain.sh BUILD OUT: the simulated communication time of exchanges on
# tori as recorded, and with each way to tune the order and time of posts: with
# messages that cost nothing to post, and with a microsecond for each.
set -euo pipefail
. "$(dirname "$0")/machines.sh"
platform torus 64 'topology="TORUS" topo_parameters="4,4,4"'
patterns
seconds() {  # TRACE OPTIONS...
  simulated_seconds "$@" --no-compute
}
table() {  # NAME TRACE OPTIONS...: a line as recorded and one of each tuning
  local post tune plain tuned cells
  for post in 0 1e-6; do
    plain=$(seconds "$2" --cfg "smpi/os:0:$post:0" --cfg "smpi/ois:0:$post:0" \
      "${@:3}")
    cells=
    for tune in order balance pace order,balance order,balance,pace; do
      tuned=$(seconds "$2" --cfg "smpi/os:0:$post:0" \
        --cfg "smpi/ois:0:$post:0" --tune "$tune" "${@:3}")
      cells+=$(awk -v a="$plain" -v b="$tuned" \
        'BEGIN { printf " %+.1f |", 100 * (b / a - 1) }')
    done
    awk -v n="$1" -v p="$post" -v a="$plain" -v c="$cells" \
      'BEGIN { printf "| %s | %g | %.1f |%s\n", n, p * 1e6, a * 1e6, c }'
  done
}

for size in 2048 65536; do
  simulate torus halo-$size 64 ./patterns halo 0 $size
  table "halo, faces of $size B" torus.halo-$size.64.trace --torus 4x4x4
  table "halo, faces of $size B, laid on four dimensions" \
    torus.halo-$size.64.trace --torus 4x4x2x2
done
simulate torus everybody 16 ./patterns everybody 0 65536
table "64 KiB for each other of 16 ranks" torus.everybody.16.trace --torus 4x4
