// Collectives that ranks call from different places: a root and the others,
// even and odd ranks, in a loop and out of it. The k-th of a rank goes with the
// k-th of the others, wherever they are.
#include <mpi.h>
#include <stdio.h>

enum { kRounds = 6 };

static int rank, ranks;
static long value = 1, sum;

static void FromTheRoot(void) {
  MPI_Bcast(&value, 1, MPI_LONG, 0, MPI_COMM_WORLD);
}

static void ToTheRoot(void) {
  MPI_Bcast(&value, 1, MPI_LONG, 0, MPI_COMM_WORLD);
}

static void Even(void) {
  MPI_Allreduce(&value, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
}

static void Odd(void) {
  MPI_Allreduce(&value, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < kRounds; ++i) {
    if (rank == 0) {
      value += sum;
      FromTheRoot();
    } else {
      ToTheRoot();
    }
    if (rank % 2 == 0) {
      Even();
    } else {
      Odd();
    }
  }
  if (rank == 1) MPI_Barrier(MPI_COMM_WORLD);
  if (rank != 1) MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("two_places: %d ranks, sum %ld\n", ranks, sum);
  MPI_Finalize();
  return 0;
}
