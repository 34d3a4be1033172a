// Every rank computes for a known processor time, whenever its turn comes:
// MILLISECONDS before each of 20 barriers. Then the first keeps the others
// waiting, who ask again and again whether its message has come.
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

static double RanFor(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void Compute(double seconds) {
  const double until = RanFor() + seconds;
  while (RanFor() < until) {
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const double seconds = argc > 1 ? 1e-3 * atof(argv[1]) : 2e-3;
  int rank = 0, ranks = 1, word = 1, there = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < 20; ++i) {
    Compute(seconds);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (rank == 0) {
    Compute(10 * seconds);
    for (int to = 1; to < ranks; ++to) {
      MPI_Send(&word, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
    }
  } else {
    MPI_Request request;
    MPI_Irecv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    while (!there) MPI_Test(&request, &there, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
