#!/usr/bin/env bash
# forecast_no_times.sh
# Traces that were made of text have no times. A forecast of them is refused
# and no more: every law of a time is that of nothing.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
for ranks in 2 4 8; do
  mkdir "$ranks"
  for ((rank = 0; rank < ranks; ++rank)); do
    {
      echo "MPI_Init"
      for _ in 1 2 3; do
        ((rank == 0)) || echo "MPI_Recv comm=0 peer=$((rank - 1)) tag=1 bytes=80"
        ((rank == ranks - 1)) ||
          echo "MPI_Send comm=0 peer=$((rank + 1)) tag=1 bytes=80"
      done
      echo "MPI_Finalize"
    } >"$ranks/$rank.txt"
  done
  expect_exit 0 "$ranksight" convert --from text "$ranks" -o "$ranks.trace"
done
expect_exit 1 "$ranksight" forecast 2.trace 4.trace 8.trace --ranks 64
grep -q '^ *64  refused' out.txt || fail "64 ranks"
expect_exit 0 "$ranksight" extrapolate --exact 2.trace 4.trace 8.trace \
  --ranks 16 -o 16.trace
