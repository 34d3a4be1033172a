#!/usr/bin/env bash
# What is done on a communicator that a replay cannot make is passed over, on all
# ranks alike, and nothing else is.
. "$(dirname "$0")/lib.sh"
must_record run.trace 5 "$apps/passed_over"
replay_recorded run.trace again.trace
must_be_complete again.trace
for rank in 0 1 4; do
  cat >wanted.txt <<TEXT
MPI_Init
MPI_Comm_split comm=0 n=$((rank % 2 == 1 ? 2 : 3))
MPI_Allreduce comm=2 bytes=4
MPI_Intercomm_create comm=2 n=$((rank % 2 == 1 ? 2 : 3))
MPI_Barrier comm=3
MPI_Comm_free comm=3
MPI_Comm_free comm=2
MPI_Finalize
TEXT
  events again.trace "$rank" | grep -v MPI_Group_ >shown.txt
  diff wanted.txt shown.txt >&2 || fail "rank $rank: < expected, > replayed"
done
