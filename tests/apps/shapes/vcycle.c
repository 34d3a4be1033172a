// A V-cycle on a line: at level l every 2^l-th rank takes part and exchanges
// with the next ones of that level; down, then up again.
#include <mpi.h>
#include <stdio.h>

static int rank, ranks;

static void Level(int distance) {
  static double out[64], in[64];
  if (rank % distance != 0) return;
  if (rank >= distance) {
    MPI_Sendrecv(out, 8, MPI_DOUBLE, rank - distance, 1, in, 8, MPI_DOUBLE,
                 rank - distance, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (rank + distance < ranks) {
    MPI_Sendrecv(out, 8, MPI_DOUBLE, rank + distance, 1, in, 8, MPI_DOUBLE,
                 rank + distance, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

int main(int argc, char** argv) {
  double norm = 1, total;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int cycle = 0; cycle < 3; ++cycle) {
    for (int distance = 1; distance < ranks; distance *= 2) Level(distance);
    MPI_Allreduce(&norm, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  if (rank == 0) printf("vcycle: %d ranks\n", ranks);
  MPI_Finalize();
  return 0;
}
