#!/usr/bin/env bash
# mpi_torus.sh IMITATION PROGRAM ARGS...: a replay tuned for the torus that the
# MPI library says it runs on is the one tuned for the same machine and map
# file.
. "$(dirname "$0")/lib.sh"
imitation=$1
shift
must_record run.trace 8 "$@"
tuned() {  # OUT PRELOAD OPTIONS...
  LD_PRELOAD=$2 "$ranksight" replay run.trace --no-compute \
    --launcher "$launcher" --tune order --record "$1" "${@:3}" \
    >tuned.out 2>tuned.err || {
    cat tuned.out tuned.err >&2
    fail "replay with ${*:3}"
  }
  grep -q "posts moved" tuned.out || fail "nothing moved with ${*:3}"
}
export TORUS_MPI=4x1x2
tuned mpi.trace "$imitation:$yield_preload" --torus mpi
for ((rank = 0; rank < 8; ++rank)); do
  echo "$((rank % 4)) 0 $((rank / 4)) 0"
done >places.map
tuned map.trace "$yield_preload" --torus 4x1x2m --map places.map
identical mpi.trace map.trace
tuned default.trace "$yield_preload" --torus 4x1x2m
expect_exit 1 "$ranksight" diff mpi.trace default.trace

# As Blue Gene/Q has it: five dimensions, several ranks a node.
TORUS_MPI=2x1x2x1x1/2 tuned mpi.trace "$imitation:$yield_preload" --torus mpi
tuned map.trace "$yield_preload" --torus 2x1x2x1x1m --ranks-per-node 2
identical mpi.trace map.trace

expect_exit 2 "$ranksight" replay run.trace --tune order --torus mpi \
  --launcher "$launcher"
grep -q "does not say where ranks sit" err.txt || fail "$(cat err.txt)"
TORUS_MPI=2x2 LD_PRELOAD=$imitation:$yield_preload expect_exit 4 "$ranksight" \
  replay run.trace --tune order --torus mpi --launcher "$launcher"
grep -q "MPIX_Rank2torus fails" err.txt || fail "$(cat err.txt)"
expect_exit 2 "$ranksight" replay run.trace --tune order --torus mpi \
  --map places.map --launcher "$launcher"
