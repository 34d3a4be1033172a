// The same function reached along several call paths: from two places of one
// loop, through a pointer, and at several depths of recursion. And one line
// with two calls.
#include <mpi.h>
#include <stdio.h>

static int rank, ranks;
static long sum;

static __attribute__((noinline)) void Exchange(int distance) {
  int out = rank, in = 0;
  MPI_Request requests[2];
  MPI_Irecv(&in, 1, MPI_INT, (rank + ranks - distance % ranks) % ranks,
            distance, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&out, 1, MPI_INT, (rank + distance) % ranks, distance,
            MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  sum += in * distance;
}

static __attribute__((noinline)) void Twice(int distance) {
  Exchange(distance);
  Exchange(distance + 1);
}

static __attribute__((noinline)) void Descend(int depth) {
  if (depth > 0) Descend(depth - 1);
  Exchange(1 + depth);
  if (depth % 2 == 0) MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  void (*volatile chosen[2])(int) = {Exchange, Twice};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < 12; ++step) {
    Twice(1);
    Exchange(3);
    chosen[step % 3 == 0](2);
    if (step % 4 == 0) Descend(step / 2);
    // clang-format off
    MPI_Barrier(MPI_COMM_WORLD); MPI_Barrier(MPI_COMM_WORLD);
    // clang-format on
  }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("two_callers: %d ranks, sum %ld\n", ranks, sum);
  MPI_Finalize();
  return 0;
}
