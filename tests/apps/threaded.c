// Two threads that exchange at the same time, each on its own communicator,
// where MPI allows it; one after the other where it does not. What each
// thread calls is certain; how the two interleave is not.
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static int rank, ranks;

struct Lane {
  MPI_Comm comm;
  int steps;
  long sum;
};

static void* Exchange(void* argument) {
  struct Lane* lane = argument;
  for (int step = 0; step < lane->steps; ++step) {
    int out = rank + step, in = 0;
    MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % ranks, lane->steps, &in, 1,
                 MPI_INT, (rank + ranks - 1) % ranks, lane->steps, lane->comm,
                 MPI_STATUS_IGNORE);
    lane->sum += in;
    if (step % 10 == 0) MPI_Barrier(lane->comm);
  }
  return NULL;
}

int main(int argc, char** argv) {
  struct Lane lanes[2];
  pthread_t thread;
  int provided;
  long sum, total = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < 2; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &lanes[i].comm);
    lanes[i].steps = 60 + 40 * i;
    lanes[i].sum = 0;
  }
  if (provided == MPI_THREAD_MULTIPLE) {
    pthread_create(&thread, NULL, Exchange, &lanes[1]);
    Exchange(&lanes[0]);
    pthread_join(thread, NULL);
  } else {
    Exchange(&lanes[0]);
    Exchange(&lanes[1]);
  }
  sum = lanes[0].sum + 3 * lanes[1].sum;
  for (int i = 0; i < 2; ++i) MPI_Comm_free(&lanes[i].comm);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("threaded: %d ranks, sum %ld\n", ranks, total);
  MPI_Finalize();
  return 0;
}
