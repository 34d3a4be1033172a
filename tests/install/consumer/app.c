// A program that uses no symbol of the runtime unless USE_API is defined.
#include <mpi.h>
#include <stdio.h>

#ifdef USE_API
#include "runtime/api/ranksight.h"
#endif

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int got = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef USE_API
  ranksight_param("size", "7");
#endif
  for (int step = 0; step < 10; ++step) {
    MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 3, &got, 1, MPI_INT, 1 - rank, 3,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (rank == 0) printf("got %d\n", got);
  MPI_Finalize();
  return 0;
}
