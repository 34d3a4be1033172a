// An N-body ring: bodies travel once around, N - 1 steps of Sendrecv.
#include <mpi.h>
#include <stdio.h>

enum { kBodies = 500, kRounds = 3 };

int main(int argc, char** argv) {
  int ranks, rank;
  static double mine[4 * kBodies], travelling[4 * kBodies];
  double energy = 0, total;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int most = (kBodies + ranks - 1) / ranks;
  for (int round = 0; round < kRounds; ++round) {
    for (int step = 1; step < ranks; ++step) {
      MPI_Sendrecv(mine, 4 * most, MPI_DOUBLE, (rank + 1) % ranks, 3,
                   travelling, 4 * most, MPI_DOUBLE, (rank + ranks - 1) % ranks,
                   3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Allreduce(&energy, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  if (rank == 0) printf("ring: %d ranks\n", ranks);
  MPI_Finalize();
  return 0;
}
