// Loops inside loops whose trip counts change from visit to visit and from
// rank to rank, and calls that are made only now and then.
#include <mpi.h>
#include <stdio.h>

static int rank, ranks;
static long sum;

static void Shift(int distance, int words) {
  int out[8] = {rank, distance, words}, in[8] = {0};
  MPI_Sendrecv(out, words, MPI_INT, (rank + distance) % ranks, distance, in,
               words, MPI_INT, (rank + ranks - distance % ranks) % ranks,
               distance, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < words; ++i) sum += in[i] * (i + 1);
}

static void Triangle(int steps) {
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < step; ++i) {
      for (int k = 0; k < (i + step) % 3; ++k) Shift(1 + k, 1 + i % 8);
    }
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
  }
}

// Every rank talks to rank 0 as many times as its number says.
static void Uneven(int step) {
  long value = rank + step;
  if (rank > 0) {
    for (int i = 0; i < rank; ++i) {
      MPI_Send(&value, 1, MPI_LONG, 0, i, MPI_COMM_WORLD);
    }
    return;
  }
  for (int from = 1; from < ranks; ++from) {
    for (int i = 0; i < from; ++i) {
      MPI_Recv(&value, 1, MPI_LONG, from, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      sum += value;
    }
  }
}

static void NowAndThen(int steps) {
  for (int step = 0; step < steps; ++step) {
    if (step % 4 == 1) MPI_Barrier(MPI_COMM_WORLD);
    if (step % 5 == 0) Uneven(step);
    if (step < 3) MPI_Bcast(&sum, 1, MPI_LONG, step % ranks, MPI_COMM_WORLD);
    if ((step * step) % 7 == 2) {
      Shift(1, 2);
    } else if (step % 2 == 0) {
      Shift(2, 3);
    }
    long agreed = sum % 1000;
    do {
      MPI_Allreduce(MPI_IN_PLACE, &agreed, 1, MPI_LONG, MPI_MAX,
                    MPI_COMM_WORLD);
    } while (++agreed % 3 != 0);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Triangle(9);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  NowAndThen(30);
  Triangle(4);
  if (rank == 0) printf("loops: %d ranks, sum %ld\n", ranks, sum);
  MPI_Finalize();
  return 0;
}
