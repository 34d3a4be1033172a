// Ranks on a ring pass on their shares; two ranks do something of their own, so
// that a run on two tells of no other.
#include <mpi.h>

enum { kWhole = 240, kOfTwo = 17, kSteps = 5 };

int main(int argc, char** argv) {
  static double out[kWhole], in[kWhole];
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int count = ranks == 2 ? kOfTwo : kWhole / ranks;
  for (int step = 0; step < kSteps; ++step) {
    MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + 1) % ranks, 1, in, count,
                 MPI_DOUBLE, (rank + ranks - 1) % ranks, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
