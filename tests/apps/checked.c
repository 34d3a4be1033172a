// checked STEPS MILLISECONDS [CHANGE]: a ring of halos with work and a sum in
// every step, and as a later build might do it: allreduce, one more; halo,
// twice as long; work, 10 % more; neighbour, one more; gather, of as many
// numbers as there are ranks; none.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { kHalo = 64, kMostRanks = 64 };

// So many rounds take a millisecond or so, and as long in every run.
static double Work(double milliseconds) {
  double x = 1;
  const long rounds = (long)(milliseconds * 2e5);
  for (long i = 0; i < rounds; ++i) x = x * 0.999999 + 1e-9;
  return x;
}

static void Exchange(int rank, int ranks, int count, int neighbours) {
  static double mine[2 * kHalo], theirs[2 * kHalo];
  for (int k = 1; k <= neighbours; ++k) {
    const int right = (rank + k) % ranks, left = (rank + ranks - k) % ranks;
    MPI_Sendrecv(mine, count, MPI_DOUBLE, right, 1, theirs, count, MPI_DOUBLE,
                 left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static double Sum(double x) {
  double sum = 0;
  MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

static void Gather(int count) {
  static double mine[kMostRanks], all[kMostRanks * kMostRanks];
  MPI_Allgather(mine, count, MPI_DOUBLE, all, count, MPI_DOUBLE,
                MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > kMostRanks) MPI_Abort(MPI_COMM_WORLD, 1);
  const int steps = argc > 1 ? atoi(argv[1]) : 10;
  const double milliseconds = argc > 2 ? atof(argv[2]) : 1;
  const char* change = argc > 3 ? argv[3] : "none";
  const int halo = strcmp(change, "halo") == 0 ? 2 * kHalo : kHalo;
  const int neighbours = strcmp(change, "neighbour") == 0 ? 2 : 1;
  const int sums = strcmp(change, "allreduce") == 0 ? 2 : 1;
  const double more = strcmp(change, "work") == 0 ? 1.1 : 1;
  double x = 0;
  for (int i = 0; i < steps; ++i) {
    Exchange(rank, ranks, halo, neighbours);
    x += Work(milliseconds * more);
    for (int k = 0; k < sums; ++k) x = Sum(x);
  }
  Gather(strcmp(change, "gather") == 0 ? ranks : 1);
  MPI_Finalize();
  return x > 1e300;
}
