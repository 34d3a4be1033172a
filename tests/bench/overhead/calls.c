// bench_calls CALLS: one rank, on MPI_COMM_SELF, times its own MPI calls by
// thread CPU time. Prints "p2p NS" (Irecv + Send + Wait, mean of the three)
// and "barrier NS", nanoseconds per call.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double ThreadNs(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void Exchange(long rounds) {
  int sent = 1;
  int got = 0;
  for (long i = 0; i < rounds; ++i) {
    MPI_Request request;
    MPI_Irecv(&got, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &request);
    MPI_Send(&sent, 1, MPI_INT, 0, 5, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

static void Barriers(long rounds) {
  for (long i = 0; i < rounds; ++i) MPI_Barrier(MPI_COMM_SELF);
}

static double Measure(void (*body)(long), long rounds) {
  body(rounds / 10 + 1);
  const double start = ThreadNs();
  body(rounds);
  return (ThreadNs() - start) / (double)rounds;
}

int main(int argc, char** argv) {
  const long rounds = argc > 1 ? atol(argv[1]) : 300000;
  MPI_Init(&argc, &argv);
  const double p2p = Measure(Exchange, rounds) / 3;
  const double barrier = Measure(Barriers, rounds);
  printf("p2p %.2f\nbarrier %.2f\n", p2p, barrier);
  MPI_Finalize();
  return 0;
}
