// bench_calls [CALLS [beside] [KIND...]]: one rank, on MPI_COMM_SELF, times its
// own MPI calls by thread CPU time. Prints lines "KIND NS", nanoseconds per
// call, of all kinds or of those named; unless "shared" is one, there is one
// thread, and MPI_Init, which tracers that know no threads ask for. beside:
// lines "KIND NS FLOOR_NS PLAIN_NS", the same beside the floor and beside calls
// of the MPI itself, in turns of a hundredth of the calls, so that a machine
// that becomes slower or faster does so for all three: medians over the turns.
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/overhead/thread_clock.h"

// X(name, parameters) for all calls made.
#define CALLS(X)                                                               \
  X(Irecv, (void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*))       \
  X(Send, (const void*, int, MPI_Datatype, int, int, MPI_Comm))                \
  X(Wait, (MPI_Request*, MPI_Status*))                                         \
  X(Test, (MPI_Request*, int*, MPI_Status*))                                   \
  X(Waitany, (int, MPI_Request[], int*, MPI_Status*))                          \
  X(Isend, (const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*)) \
  X(Recv, (void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status*))         \
  X(Probe, (int, int, MPI_Comm, MPI_Status*))                                  \
  X(Barrier, (MPI_Comm))                                                       \
  X(Iprobe, (int, int, MPI_Comm, int*, MPI_Status*))                           \
  X(Sendrecv, (const void*, int, MPI_Datatype, int, int, void*, int,           \
               MPI_Datatype, int, int, MPI_Comm, MPI_Status*))

#define MEMBER(name, parameters) int(*name) parameters;
struct Calls {
  CALLS(MEMBER)
};
#define FLOOR(name, parameters) int Floor_##name parameters;
CALLS(FLOOR)
#define AS_CALLED(name, parameters) .name = MPI_##name,
static const struct Calls kCalled = {CALLS(AS_CALLED)};
#define AS_FLOOR(name, parameters) .name = Floor_##name,
static const struct Calls kFloor = {CALLS(AS_FLOOR)};
#define AS_PLAIN(name, parameters) .name = PMPI_##name,
static const struct Calls kPlain = {CALLS(AS_PLAIN)};

static void Exchange(const struct Calls* c, long rounds) {
  int sent = 1;
  int got = 0;
  for (long i = 0; i < rounds; ++i) {
    MPI_Request request;
    c->Irecv(&got, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &request);
    c->Send(&sent, 1, MPI_INT, 0, 5, MPI_COMM_SELF);
    c->Wait(&request, MPI_STATUS_IGNORE);
  }
}

// The same from whoever sends.
static void Wildcards(const struct Calls* c, long rounds) {
  int sent = 1;
  int got = 0;
  for (long i = 0; i < rounds; ++i) {
    MPI_Request request;
    c->Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF,
             &request);
    c->Send(&sent, 1, MPI_INT, 0, 5, MPI_COMM_SELF);
    c->Wait(&request, MPI_STATUS_IGNORE);
  }
}

// The same, asking until it is there.
static void Tests(const struct Calls* c, long rounds) {
  int sent = 1;
  int got = 0;
  for (long i = 0; i < rounds; ++i) {
    MPI_Request request;
    int there = 0;
    c->Irecv(&got, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &request);
    c->Send(&sent, 1, MPI_INT, 0, 5, MPI_COMM_SELF);
    while (!there) c->Test(&request, &there, MPI_STATUS_IGNORE);
  }
}

// The same, waiting for any of two.
static void Any(const struct Calls* c, long rounds) {
  int sent = 1;
  int got = 0;
  for (long i = 0; i < rounds; ++i) {
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int index;
    c->Irecv(&got, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &requests[i % 2]);
    c->Send(&sent, 1, MPI_INT, 0, 5, MPI_COMM_SELF);
    c->Waitany(2, requests, &index, MPI_STATUS_IGNORE);
  }
}

// A message in one of eight slots, the others being empty.
static void Slots(const struct Calls* c, long rounds) {
  enum { kSlots = 8 };
  for (long i = 0; i < rounds; ++i) {
    MPI_Request requests[kSlots];
    int sent = 1, got = 0, index = 0;
    for (int k = 0; k < kSlots; ++k) requests[k] = MPI_REQUEST_NULL;
    c->Irecv(&got, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[i % kSlots]);
    c->Send(&sent, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
    c->Waitany(kSlots, requests, &index, MPI_STATUS_IGNORE);
  }
}

static void Probes(const struct Calls* c, long rounds) {
  int sent = 1;
  int got = 0;
  for (long i = 0; i < rounds; ++i) {
    MPI_Request request;
    c->Isend(&sent, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &request);
    c->Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    c->Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF,
            MPI_STATUS_IGNORE);
    c->Wait(&request, MPI_STATUS_IGNORE);
  }
}

static void Barriers(const struct Calls* c, long rounds) {
  for (long i = 0; i < rounds; ++i) c->Barrier(MPI_COMM_SELF);
}

static void Polls(const struct Calls* c, long rounds) {
  for (long i = 0; i < rounds; ++i) {
    int there = 0;
    c->Iprobe(0, 5, MPI_COMM_SELF, &there, MPI_STATUS_IGNORE);
  }
}

// Deeper stacks: every level is a frame of its own.
static __attribute__((noinline)) void Deep(const struct Calls* c, int depth,
                                           long rounds) {
  if (depth > 1) {
    Deep(c, depth - 1, rounds);
  } else {
    Barriers(c, rounds);
  }
  __asm__ volatile("" ::: "memory");
}
static void Deep5(const struct Calls* c, long rounds) { Deep(c, 5, rounds); }
static void Deep20(const struct Calls* c, long rounds) { Deep(c, 20, rounds); }
static void Deep50(const struct Calls* c, long rounds) { Deep(c, 50, rounds); }

// A thousand call paths: ten sites below ten below ten.
#define TEN(X) X X X X X X X X X X
static __attribute__((noinline)) void Sites(const struct Calls* c) {
  TEN(c->Barrier(MPI_COMM_SELF);)
}
static __attribute__((noinline)) void Tens(const struct Calls* c) {
  TEN(Sites(c);)
}
static __attribute__((noinline)) void Hundreds(const struct Calls* c) {
  TEN(Tens(c);)
}
static void Paths(const struct Calls* c, long rounds) {
  for (long i = 0; i < rounds; i += 1000) Hundreds(c);
}

// Counts that follow no rule.
static void Irregular(const struct Calls* c, long rounds) {
  static char sent[1000], got[1000];
  static unsigned seed = 12345;
  for (long i = 0; i < rounds; ++i) {
    seed = seed * 1103515245u + 12345u;
    const int count = 1 + (int)(seed / 65536u % 1000u);
    c->Sendrecv(sent, count, MPI_CHAR, 0, 5, got, count, MPI_CHAR, 0, 5,
                MPI_COMM_SELF, MPI_STATUS_IGNORE);
  }
}

static void* OneCall(void* unused) {
  MPI_Barrier(MPI_COMM_SELF);
  return unused;
}

typedef void Body(const struct Calls*, long);

static double Took(Body* body, const struct Calls* calls, long rounds) {
  const double start = ThreadNs();
  body(calls, rounds);
  return ThreadNs() - start;
}

static int Ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void Measure(Body* body, long rounds, int calls) {
  body(&kCalled, rounds / 10 + 1);
  printf(" %.2f\n", Took(body, &kCalled, rounds) / (double)(rounds * calls));
}

static void MeasureBeside(Body* body, long rounds, int calls) {
  enum { kTurns = 100, kWays = 3 };
  static const struct Calls* const ways[kWays] = {&kCalled, &kFloor, &kPlain};
  static double took[kWays][kTurns];
  body(&kCalled, rounds / 10 + 1);
  // Those along a thousand call paths take all of them.
  const long turn = rounds > 1000 * kTurns ? rounds / kTurns : 1000;
  for (int i = 0; i < kTurns; ++i) {
    for (int way = 0; way < kWays; ++way) {
      took[way][i] = Took(body, ways[way], turn);
    }
  }
  for (int way = 0; way < kWays; ++way) {
    qsort(took[way], kTurns, sizeof took[way][0], Ascending);
    printf(" %.2f", took[way][kTurns / 2] / (double)(turn * calls));
  }
  printf("\n");
}

// Once another thread has made a call.
static void Shared(const struct Calls* c, long rounds) {
  static int made = 0;
  if (!made) {
    pthread_t thread;
    pthread_create(&thread, NULL, OneCall, NULL);
    pthread_join(thread, NULL);
    made = 1;
  }
  Barriers(c, rounds);
}

static const struct {
  const char* name;
  Body* body;
  int calls;    // in a round
  long rounds;  // 0: as many as asked for
} kinds[] = {
    {"p2p", Exchange, 3, 0},
    {"test", Tests, 3, 0},
    {"waitany", Any, 3, 0},
    {"slots", Slots, 3, 0},
    {"wildcard", Wildcards, 3, 0},
    {"probe", Probes, 4, 0},
    {"barrier", Barriers, 1, 0},
    {"iprobe", Polls, 1, 0},
    {"deep5", Deep5, 1, 0},
    {"deep20", Deep20, 1, 0},
    {"deep50", Deep50, 1, 0},
    {"paths1000", Paths, 1, 0},
    {"irregular", Irregular, 1, 20000},
    {"shared", Shared, 1, 0},
};

static int Asked(const char* name, char** words, int count) {
  if (count == 0) return 1;
  for (int i = 0; i < count; ++i) {
    if (strcmp(words[i], name) == 0) return 1;
  }
  return 0;
}

int main(int argc, char** argv) {
  const long rounds = argc > 1 ? atol(argv[1]) : 300000;
  const int beside = argc > 2 && strcmp(argv[2], "beside") == 0;
  char** const asked = argv + 2 + beside;
  const int asked_count = argc > 2 + beside ? argc - 2 - beside : 0;
  if (Asked("shared", asked, asked_count)) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  } else {
    MPI_Init(&argc, &argv);
  }
  for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); ++i) {
    if (!Asked(kinds[i].name, asked, asked_count)) continue;
    const long times = kinds[i].rounds ? kinds[i].rounds : rounds;
    printf("%s", kinds[i].name);
    (beside ? MeasureBeside : Measure)(kinds[i].body, times, kinds[i].calls);
  }
  MPI_Finalize();
  return 0;
}
