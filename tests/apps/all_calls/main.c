#include <mpi.h>
#include <stdio.h>

#include "parts.h"

typedef long (*Part)(int rank, int ranks);

int main(int argc, char** argv) {
  static const Part kParts[] = {
      SendModes,     Wildcards, NullPeers,        DerivedTypes,
      BothWays,      Probes,    Persistent,       FreedAndCancelled,
      Waits,         Tests,     EmptyCompletions, WorldCollectives,
      Communicators, Grids,     ReusedHandles,
  };
  int rank, ranks;
  long sum = 0, total = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (size_t i = 0; i < sizeof kParts / sizeof *kParts; ++i) {
    sum = sum * 31 % 1000003 + kParts[i](rank, ranks);
  }
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("all_calls: %d ranks, sum %ld\n", ranks, total);
  MPI_Finalize();
  return 0;
}
