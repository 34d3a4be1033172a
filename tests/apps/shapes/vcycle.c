// vcycle [LOG2_POINTS]: a V-cycle on a line. Down: at level l every 2^l-th rank
// takes part and exchanges faces with the next ones of that level, half as many
// points at each level. Up: each rank of a level gives its correction to the
// rank half way to the next one, which takes part from there on.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

// More than the largest message: pages never touched are never there.
enum { kMost = 1 << 20 };
static int rank, ranks, finest = 4096;
static double out[kMost], in[kMost];

static void Exchange(int distance) {
  const int points = finest / distance;
  if (rank % distance != 0) return;
  if (rank >= distance) {
    MPI_Sendrecv(out, points, MPI_DOUBLE, rank - distance, 1, in, points,
                 MPI_DOUBLE, rank - distance, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
  if (rank + distance < ranks) {
    MPI_Sendrecv(out, points, MPI_DOUBLE, rank + distance, 1, in, points,
                 MPI_DOUBLE, rank + distance, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
}

static void Interpolate(int distance) {
  if (rank % (2 * distance) == distance) {
    MPI_Recv(in, 8, MPI_DOUBLE, rank - distance, 2, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  }
  if (rank % (2 * distance) == 0 && rank + distance < ranks) {
    MPI_Send(out, 8, MPI_DOUBLE, rank + distance, 2, MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  double norm = 1, total;
  int coarsest = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 1) finest = 1 << atoi(argv[1]);
  while (2 * coarsest < ranks) coarsest *= 2;
  for (int cycle = 0; cycle < 3; ++cycle) {
    for (int level = 1; level <= coarsest; level *= 2) Exchange(level);
    for (int level = coarsest; level >= 1; level /= 2) Interpolate(level);
    MPI_Allreduce(&norm, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  if (rank == 0) printf("vcycle: %d ranks\n", ranks);
  MPI_Finalize();
  return 0;
}
