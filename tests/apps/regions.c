// Regions around one and the same call site; flushing; the end may be a kill.
// Usage: regions [kill]: rank 1 then kills itself after flushing.
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "runtime/api/ranksight_optional.h"

static int in = 1, out;

static void Sum(void) {
  MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  int rank;
  ranksight_optional_region_begin("before");
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 100; ++i) {
    ranksight_optional_region_begin("solve");
    for (int j = 0; j < 3; ++j) Sum();
    ranksight_optional_region_begin("check");
    Sum();
    ranksight_optional_region_end("check");
    ranksight_optional_region_end("solve");
    ranksight_optional_region_end("never begun");
    Sum();
  }
  ranksight_optional_region_begin("left open");
  ranksight_optional_flush();
  MPI_Barrier(MPI_COMM_WORLD);
  if (argc > 1 && strcmp(argv[1], "kill") == 0 && rank == 1) raise(SIGKILL);
  if (rank == 0) printf("regions %d\n", out);
  MPI_Finalize();
  return 0;
}
