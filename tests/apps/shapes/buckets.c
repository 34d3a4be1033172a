// Buckets: every rank sorts 4,096 keys by the rank they belong to, so that
// what it sends to each balances only on average, and how much there is in
// all is known.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kKeys = 4096 };

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int* give = calloc(4 * (size_t)ranks, sizeof *give);
  int *take = give + ranks, *give_at = take + ranks, *take_at = give_at + ranks;
  static int keys[kKeys];
  unsigned state = 12345u * (unsigned)(rank + 1);
  for (int i = 0; i < kKeys; ++i) {
    state = state * 1664525u + 1013904223u;
    ++give[(state >> 8) % (unsigned)ranks];
  }
  MPI_Alltoall(give, 1, MPI_INT, take, 1, MPI_INT, MPI_COMM_WORLD);
  int all = 0;
  for (int i = 0; i < ranks; ++i) {
    if (i > 0) give_at[i] = give_at[i - 1] + give[i - 1];
    if (i > 0) take_at[i] = take_at[i - 1] + take[i - 1];
    all += take[i];
  }
  int* sorted = malloc(((size_t)all + 1) * sizeof *sorted);
  MPI_Alltoallv(keys, give, give_at, MPI_INT, sorted, take, take_at, MPI_INT,
                MPI_COMM_WORLD);
  if (rank == 0) printf("buckets: %d ranks\n", ranks);
  free(sorted);
  free(give);
  MPI_Finalize();
  return 0;
}
