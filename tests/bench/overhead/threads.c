// bench_threads CALLS: one rank, of which two threads, then four, all make
// calls at once, each on a duplicate of MPI_COMM_SELF of its own. Prints lines
// "KIND NS": CPU time of the threads, nanoseconds per call.
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/bench/overhead/thread_clock.h"

enum { kMostThreads = 4 };

struct Caller {
  pthread_t thread;
  MPI_Comm comm;
  double ns[2];
};

static long rounds = 100000;
static pthread_barrier_t together;

static void Exchange(MPI_Comm comm, long n) {
  int sent = 1;
  int got = 0;
  for (long i = 0; i < n; ++i) {
    MPI_Request request;
    MPI_Irecv(&got, 1, MPI_INT, 0, 5, comm, &request);
    MPI_Send(&sent, 1, MPI_INT, 0, 5, comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

static void Barriers(MPI_Comm comm, long n) {
  for (long i = 0; i < n; ++i) MPI_Barrier(comm);
}

static double Measure(void (*body)(MPI_Comm, long), MPI_Comm comm) {
  body(comm, rounds / 10 + 1);
  pthread_barrier_wait(&together);
  const double start = ThreadNs();
  body(comm, rounds);
  return (ThreadNs() - start) / (double)rounds;
}

static void* Run(void* of) {
  struct Caller* caller = of;
  pthread_barrier_wait(&together);
  caller->ns[0] = Measure(Exchange, caller->comm) / 3;
  pthread_barrier_wait(&together);
  caller->ns[1] = Measure(Barriers, caller->comm);
  return NULL;
}

static void Measured(int threads) {
  static const char* const kKinds[] = {"p2p", "barrier"};
  struct Caller callers[kMostThreads];
  pthread_barrier_init(&together, NULL, (unsigned)threads);
  for (int i = 0; i < threads; ++i) {
    MPI_Comm_dup(MPI_COMM_SELF, &callers[i].comm);
    pthread_create(&callers[i].thread, NULL, Run, &callers[i]);
  }
  for (int i = 0; i < threads; ++i) {
    pthread_join(callers[i].thread, NULL);
    MPI_Comm_free(&callers[i].comm);
  }
  for (int kind = 0; kind < 2; ++kind) {
    double sum = 0;
    for (int i = 0; i < threads; ++i) sum += callers[i].ns[kind];
    printf("%s.%d-threads %.2f\n", kKinds[kind], threads, sum / threads);
  }
  pthread_barrier_destroy(&together);
}

int main(int argc, char** argv) {
  int provided;
  if (argc > 1) rounds = atol(argv[1]);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  Measured(2);
  Measured(4);
  MPI_Finalize();
  return 0;
}
