// A program that names a region and a parameter and needs no runtime.
#include <mpi.h>

#include "runtime/api/ranksight_optional.h"

int main(int argc, char** argv) {
  int rank, got = -1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ranksight_optional_param("size", "7");
  ranksight_optional_region_begin("ring");
  for (int step = 0; step < 10; ++step) {
    MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 3, &got, 1, MPI_INT, 1 - rank, 3,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  ranksight_optional_region_end("ring");
  MPI_Finalize();
  return 0;
}
