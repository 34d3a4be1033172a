// copies COUNT [kept]: as many copies of the world, each used once and freed
// before the next is made; or all made first, and kept. An MPI library has some
// thousands of communicators at once.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long Use(MPI_Comm copy, int number) {
  long value, total;
  int rank;
  MPI_Comm_rank(copy, &rank);
  value = rank + number;
  MPI_Allreduce(&value, &total, 1, MPI_LONG, MPI_SUM, copy);
  return total;
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? atoi(argv[1]) : 100;
  const int kept = argc > 2 && strcmp(argv[2], "kept") == 0;
  MPI_Comm* copies = calloc((size_t)count + 1, sizeof *copies);
  int rank;
  long sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < count; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &copies[i]);
    if (kept) continue;
    sum += Use(copies[i], i);
    MPI_Comm_free(&copies[i]);
  }
  for (int i = 0; kept && i < count; ++i) sum += Use(copies[i], i);
  if (rank == 0) printf("copies: %d, sum %ld\n", count, sum);
  MPI_Finalize();
  free(copies);
  return 0;
}
