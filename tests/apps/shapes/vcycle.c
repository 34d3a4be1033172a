// A V-cycle on a line: at level l every 2^l-th rank takes part and exchanges
// with the next ones of that level; down with half the points at each level,
// then up again.
#include <mpi.h>
#include <stdio.h>

enum { kPoints = 4096 };
static int rank, ranks;

static void Exchange(int distance, int tag) {
  static double out[kPoints], low[kPoints], high[kPoints];
  const int points = kPoints / distance;
  MPI_Request requests[4];
  int n = 0;
  if (rank % distance != 0) return;
  if (rank >= distance) {
    MPI_Irecv(low, points, MPI_DOUBLE, rank - distance, tag, MPI_COMM_WORLD,
              &requests[n++]);
    MPI_Isend(out, points, MPI_DOUBLE, rank - distance, tag, MPI_COMM_WORLD,
              &requests[n++]);
  }
  if (rank + distance < ranks) {
    MPI_Irecv(high, points, MPI_DOUBLE, rank + distance, tag, MPI_COMM_WORLD,
              &requests[n++]);
    MPI_Isend(out, points, MPI_DOUBLE, rank + distance, tag, MPI_COMM_WORLD,
              &requests[n++]);
  }
  MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char** argv) {
  double norm = 1, total;
  int coarsest = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  while (2 * coarsest < ranks) coarsest *= 2;
  for (int cycle = 0; cycle < 3; ++cycle) {
    for (int distance = 1; distance <= coarsest; distance *= 2) {
      Exchange(distance, 1);
    }
    for (int distance = coarsest; distance >= 1; distance /= 2) {
      Exchange(distance, 2);
    }
    MPI_Allreduce(&norm, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  if (rank == 0) printf("vcycle: %d ranks\n", ranks);
  MPI_Finalize();
  return 0;
}
