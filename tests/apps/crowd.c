// Four threads that exchange at the same time, each on a communicator of its
// own with a number of requests of its own; every now and then the first hands
// requests over to the second, and with `any` behind the steps the last
// receives from any source. What each thread calls is certain; how they
// interleave is not. Each says in a parameter of the run how far it came.
//
// Requests completed by one call are all of one communicator: 1 and 2 of them
// of lane 0's, 2 * (lane + 2) of the lane's.
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/api/ranksight_optional.h"

enum { kLanes = 4, kMost = 2 * (kLanes + 1) };

static int rank, ranks, steps = 200, any = 0;
static MPI_Request handed[2];
static int handed_in[2];
static pthread_barrier_t hand_over;

struct Lane {
  MPI_Comm comm;
  int number;
  long sum;
};

static void Start(struct Lane* lane, int tag, int* out, int* in,
                  MPI_Request* requests) {
  const int from = any && lane->number == kLanes - 1
                       ? MPI_ANY_SOURCE
                       : (rank + ranks - 1) % ranks;
  MPI_Irecv(in, 1, MPI_INT, from, tag, lane->comm, &requests[0]);
  MPI_Isend(out, 1, MPI_INT, (rank + 1) % ranks, tag, lane->comm, &requests[1]);
}

static void Exchange(struct Lane* lane, int step) {
  const int pairs = lane->number + 2;
  MPI_Request requests[kMost];
  int out[kMost], in[kMost];
  for (int i = 0; i < pairs; ++i) {
    out[i] = rank + step + i;
    Start(lane, i, &out[i], &in[i], &requests[2 * i]);
  }
  MPI_Waitall(2 * pairs, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < pairs; ++i) lane->sum += in[i];
}

static void ExchangeOne(struct Lane* lane, int step) {
  MPI_Request requests[2];
  int out = step, in = 0;
  Start(lane, kMost, &out, &in, requests);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  lane->sum += in;
}

static void HandOver(struct Lane* lane) {
  // Receives: sends that are complete may share a handle, which does not tell
  // whose it is.
  for (int i = 0; lane->number == 0 && i < 2; ++i) {
    MPI_Irecv(&handed_in[i], 1, MPI_INT, (rank + ranks - 1) % ranks,
              kMost + 1 + i, lane->comm, &handed[i]);
  }
  for (int i = 0; lane->number == 0 && i < 2; ++i) {
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % ranks, kMost + 1 + i, lane->comm);
  }
  pthread_barrier_wait(&hand_over);
  if (lane->number == 1) {
    MPI_Waitall(2, handed, MPI_STATUSES_IGNORE);
    lane->sum += handed_in[0] + handed_in[1];
  }
  pthread_barrier_wait(&hand_over);
}

static void Tell(const struct Lane* lane, int steps_done) {
  char name[16], value[16];
  snprintf(name, sizeof name, "lane%d", lane->number);
  snprintf(value, sizeof value, "%d", steps_done);
  ranksight_optional_param(name, value);
}

static void* Run(void* argument) {
  struct Lane* lane = argument;
  for (int step = 0; step < steps; ++step) {
    Exchange(lane, step);
    Tell(lane, step + 1);
    if (lane->number == 0) ExchangeOne(lane, step);
    if (lane->number < 2 && step % 10 == 9) HandOver(lane);
    if (lane->number == 2 && step % 20 == 0) {
      MPI_Comm copy;
      MPI_Comm_dup(lane->comm, &copy);
      MPI_Barrier(copy);
      MPI_Comm_free(&copy);
    }
  }
  return NULL;
}

int main(int argc, char** argv) {
  struct Lane lanes[kLanes];
  pthread_t threads[kLanes];
  int provided;
  long sum = 0, total = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (argc > 1) steps = atoi(argv[1]);
  any = argc > 2 && strcmp(argv[2], "any") == 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  pthread_barrier_init(&hand_over, NULL, 2);
  for (int i = 0; i < kLanes; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &lanes[i].comm);
    lanes[i].number = i;
    lanes[i].sum = 0;
  }
  for (int i = 0; i < kLanes; ++i) {
    pthread_create(&threads[i], NULL, Run, &lanes[i]);
  }
  for (int i = 0; i < kLanes; ++i) {
    pthread_join(threads[i], NULL);
    sum += lanes[i].sum;
    MPI_Comm_free(&lanes[i].comm);
  }
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("crowd: %d ranks, sum %ld\n", ranks, total);
  MPI_Finalize();
  return 0;
}
