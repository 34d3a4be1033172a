// late_end [half]: a handler of exit, set before MPI_Init, calls MPI_Finalize.
// With "half" rank 0 alone leaves it to that, the others call it themselves.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void End(void) {
  int finalized = 0, in = 1, out = 0;
  MPI_Finalized(&finalized);
  if (finalized) return;
  MPI_Reduce(&in, &out, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_SELF);
  MPI_Finalize();
}

int main(int argc, char** argv) {
  const int half = argc > 1 && strcmp(argv[1], "half") == 0;
  int rank = 0, in = 1, out = 0;
  atexit(End);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 20; ++i) {
    MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
  if (rank == 0) printf("%d\n", out);
  if (half && rank != 0) MPI_Finalize();
  exit(0);
}
