// Threads that make calls one after the other, never at once: long turns and
// short ones, by threads that stay and threads that come and go. The order of
// all calls is certain. Requests made by one thread are waited for by another.
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static int rank, ranks;
static long sum;
static MPI_Request left_behind[2];
static int buffers[2];

static void Exchange(int step) {
  int out = rank + step, in = 0;
  MPI_Request request;
  MPI_Irecv(&in, 1, MPI_INT, (rank + ranks - 1) % ranks, 1, MPI_COMM_WORLD,
            &request);
  MPI_Send(&out, 1, MPI_INT, (rank + 1) % ranks, 1, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  sum += in;
}

static void* Turn(void* argument) {
  const int steps = *(int*)argument;
  for (int step = 0; step < steps; ++step) Exchange(step);
  MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % ranks, 2, MPI_COMM_WORLD,
            &left_behind[0]);
  MPI_Irecv(&buffers[1], 1, MPI_INT, (rank + ranks - 1) % ranks, 2,
            MPI_COMM_WORLD, &left_behind[1]);
  return NULL;
}

static void InThread(int steps) {
  pthread_t thread;
  pthread_create(&thread, NULL, Turn, &steps);
  pthread_join(thread, NULL);
  MPI_Waitall(2, left_behind, MPI_STATUSES_IGNORE);
  sum += buffers[1];
}

int main(int argc, char** argv) {
  int provided;
  long total = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < 50; ++step) Exchange(step);
  for (int turn = 0; turn < 12; ++turn) {
    InThread(turn % 4 == 3 ? 100 : 1 + turn % 3);
    for (int step = 0; step < 30 * (turn % 5); ++step) Exchange(step);
    if (turn % 3 == 0) MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("turns: %d ranks, sum %ld\n", ranks, total);
  MPI_Finalize();
  return 0;
}
