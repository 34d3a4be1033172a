/* A table of keys that are spread over the ranks by a hash, and that ranks look
 * at as data say: what is put where has no law, nor after how many the rank
 * flushes. Pairs of ranks sum up, two thirds of them have a communicator with a
 * root that data choose, and rank 0 scatters and gathers unequal parts. */
#include <mpi.h>
#include <stdlib.h>

enum { kSteps = 3, kKeys = 12 };

static unsigned hash(unsigned a, unsigned b, unsigned c) {
  unsigned h = a * 2654435761u + b * 40503u + c * 9973u + 12345u;
  h = (h ^ h >> 13) * 1274126177u;
  return h ^ h >> 16;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm pair, most = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
  const int part = ranks * 2 / 3;
  MPI_Comm_split(MPI_COMM_WORLD, rank < part ? 0 : MPI_UNDEFINED, -rank, &most);
  int *table;
  MPI_Win window;
  MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD,
                   &table, &window);
  int *counts = calloc((size_t)ranks, sizeof(int));
  int *taken = calloc((size_t)ranks, sizeof(int));
  int *begins = calloc((size_t)ranks, sizeof(int));
  double *data = calloc(64 * (size_t)ranks, sizeof(double));
  double *more = calloc(64 * (size_t)ranks, sizeof(double));
  for (int r = 0; r < ranks; ++r) begins[r] = 64 * r;
  MPI_Win_lock_all(0, window);
  for (int step = 0; step < kSteps; ++step) {
    for (int key = 0; key < kKeys; ++key) {
      const unsigned at = hash((unsigned)rank, (unsigned)key, (unsigned)step);
      const int owner = (int)(at % (unsigned)ranks), one = 1;
      MPI_Accumulate(&one, 1, MPI_INT, owner, (MPI_Aint)(at / 7 % 64), 1,
                     MPI_INT, MPI_SUM, window);
      if (at % 3 == 0) MPI_Win_flush(owner, window);
    }
    MPI_Allreduce(MPI_IN_PLACE, data, 4, MPI_DOUBLE, MPI_SUM, pair);
    if (most != MPI_COMM_NULL) {
      const int root =
          (int)(hash((unsigned)step, (unsigned)ranks, 1) % (unsigned)part);
      MPI_Bcast(data, 30, MPI_DOUBLE, root, most);
    }
    /* As many for each as it says itself. */
    for (int r = 0; r < ranks; ++r) {
      counts[r] = 1 + (int)(hash((unsigned)r, (unsigned)step, 7) % 60);
    }
    MPI_Scatterv(data, counts, begins, MPI_DOUBLE, more, counts[rank],
                 MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Gatherv(more, counts[rank], MPI_DOUBLE, data, counts, begins,
                MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int r = 0; r < ranks; ++r) {
      const unsigned low = (unsigned)(r < rank ? r : rank);
      const unsigned high = (unsigned)(r < rank ? rank : r);
      taken[r] = (int)(hash(low, high, (unsigned)step) % 40);
    }
    MPI_Alltoallv(data, taken, begins, MPI_DOUBLE, more, taken, begins,
                  MPI_DOUBLE, MPI_COMM_WORLD);
    const int peer = rank ^ 1;
    MPI_Sendrecv(data, counts[rank], MPI_DOUBLE,
                 peer < ranks ? peer : MPI_PROC_NULL, 5, more, 64, MPI_DOUBLE,
                 peer < ranks ? peer : MPI_PROC_NULL, 5, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
  MPI_Win_unlock_all(window);
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : data, data, 8, MPI_DOUBLE, MPI_SUM, 0,
             MPI_COMM_WORLD);
  MPI_Win_free(&window);
  MPI_Comm_free(&pair);
  if (most != MPI_COMM_NULL) MPI_Comm_free(&most);
  free(counts);
  free(taken);
  free(begins);
  free(data);
  free(more);
  MPI_Finalize();
  return 0;
}
