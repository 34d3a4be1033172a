// bench_calls [CALLS [KIND...]]: one rank, on MPI_COMM_SELF, times its own MPI
// calls by thread CPU time. Prints lines "KIND NS", nanoseconds per call, of
// all kinds or of those named; unless "shared" is one, there is one thread, and
// MPI_Init, which tracers that know no threads ask for.
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/overhead/thread_clock.h"

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

// The same from whoever sends.
static void Wildcards(long rounds) {
  int sent = 1;
  int got = 0;
  for (long i = 0; i < rounds; ++i) {
    MPI_Request request;
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF,
              &request);
    MPI_Send(&sent, 1, MPI_INT, 0, 5, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

// The same, asking until it is there.
static void Tests(long rounds) {
  int sent = 1;
  int got = 0;
  for (long i = 0; i < rounds; ++i) {
    MPI_Request request;
    int there = 0;
    MPI_Irecv(&got, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &request);
    MPI_Send(&sent, 1, MPI_INT, 0, 5, MPI_COMM_SELF);
    while (!there) MPI_Test(&request, &there, MPI_STATUS_IGNORE);
  }
}

// The same, waiting for any of two.
static void Any(long rounds) {
  int sent = 1;
  int got = 0;
  for (long i = 0; i < rounds; ++i) {
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int index;
    MPI_Irecv(&got, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &requests[i % 2]);
    MPI_Send(&sent, 1, MPI_INT, 0, 5, MPI_COMM_SELF);
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
  }
}

static void Probes(long rounds) {
  int sent = 1;
  int got = 0;
  for (long i = 0; i < rounds; ++i) {
    MPI_Request request;
    MPI_Isend(&sent, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &request);
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF,
             MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

static void Barriers(long rounds) {
  for (long i = 0; i < rounds; ++i) MPI_Barrier(MPI_COMM_SELF);
}

static void Polls(long rounds) {
  for (long i = 0; i < rounds; ++i) {
    int there = 0;
    MPI_Iprobe(0, 5, MPI_COMM_SELF, &there, MPI_STATUS_IGNORE);
  }
}

// Deeper stacks: every level is a frame of its own.
static __attribute__((noinline)) void Deep(int depth, long rounds) {
  if (depth > 1) {
    Deep(depth - 1, rounds);
  } else {
    Barriers(rounds);
  }
  __asm__ volatile("" ::: "memory");
}
static void Deep5(long rounds) { Deep(5, rounds); }
static void Deep20(long rounds) { Deep(20, rounds); }
static void Deep50(long rounds) { Deep(50, rounds); }

// A thousand call paths: ten sites below ten below ten.
#define TEN(X) X X X X X X X X X X
static __attribute__((noinline)) void Sites(void) {
  TEN(MPI_Barrier(MPI_COMM_SELF);)
}
static __attribute__((noinline)) void Tens(void) { TEN(Sites();) }
static __attribute__((noinline)) void Hundreds(void) { TEN(Tens();) }
static void Paths(long rounds) {
  for (long i = 0; i < rounds; i += 1000) Hundreds();
}

// Counts that follow no rule.
static void Irregular(long rounds) {
  static char sent[1000], got[1000];
  unsigned seed = 12345;
  for (long i = 0; i < rounds; ++i) {
    seed = seed * 1103515245u + 12345u;
    const int count = 1 + (int)(seed / 65536u % 1000u);
    MPI_Sendrecv(sent, count, MPI_CHAR, 0, 5, got, count, MPI_CHAR, 0, 5,
                 MPI_COMM_SELF, MPI_STATUS_IGNORE);
  }
}

static void* OneCall(void* unused) {
  MPI_Barrier(MPI_COMM_SELF);
  return unused;
}

static double Measure(void (*body)(long), long rounds) {
  body(rounds / 10 + 1);
  const double start = ThreadNs();
  body(rounds);
  return (ThreadNs() - start) / (double)rounds;
}

// Once another thread has made a call.
static void Shared(long rounds) {
  static int made = 0;
  if (!made) {
    pthread_t thread;
    pthread_create(&thread, NULL, OneCall, NULL);
    pthread_join(thread, NULL);
    made = 1;
  }
  Barriers(rounds);
}

static const struct {
  const char* name;
  void (*body)(long);
  int calls;    // in a round
  long rounds;  // 0: as many as asked for
} kinds[] = {
    {"p2p", Exchange, 3, 0},    {"test", Tests, 3, 0},
    {"waitany", Any, 3, 0},     {"wildcard", Wildcards, 3, 0},
    {"probe", Probes, 4, 0},    {"barrier", Barriers, 1, 0},
    {"iprobe", Polls, 1, 0},    {"deep5", Deep5, 1, 0},
    {"deep20", Deep20, 1, 0},   {"deep50", Deep50, 1, 0},
    {"paths1000", Paths, 1, 0}, {"irregular", Irregular, 1, 20000},
    {"shared", Shared, 1, 0},
};

static int Asked(const char* name, int argc, char** argv) {
  if (argc <= 2) return 1;
  for (int i = 2; i < argc; ++i) {
    if (strcmp(argv[i], name) == 0) return 1;
  }
  return 0;
}

int main(int argc, char** argv) {
  const long rounds = argc > 1 ? atol(argv[1]) : 300000;
  if (Asked("shared", argc, argv)) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  } else {
    MPI_Init(&argc, &argv);
  }
  for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); ++i) {
    if (!Asked(kinds[i].name, argc, argv)) continue;
    const long times = kinds[i].rounds ? kinds[i].rounds : rounds;
    printf("%s %.2f\n", kinds[i].name,
           Measure(kinds[i].body, times) / kinds[i].calls);
  }
  MPI_Finalize();
  return 0;
}
