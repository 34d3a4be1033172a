// bench_compute: one rank, computes for a known time between barriers on
// MPI_COMM_SELF. Prints lines "CALLS NS": how many barriers had computations
// of NS nanoseconds before them. How long they take is measured in one piece,
// by the clock that the runtime reads, without a call in between.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { kCalls = 1000, kWarmUp = 20000, kBlocks = 50 };

static volatile uint64_t seed = 3;

// A chain of dependent multiplications: nothing overlaps with it.
static __attribute__((noinline)) uint64_t Work(int steps, uint64_t x) {
  for (int i = 0; i < steps; ++i) x = x * 6364136223846793005u + 1u;
  return x;
}

static double Now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

// The least of several blocks: what interrupts is no computation.
static double Calibrate(int steps) {
  double least = 1e300;
  for (int block = 0; block < kBlocks; ++block) {
    const int rounds = 5000000 / kBlocks / steps + 1;
    const double start = Now();
    for (int i = 0; i < rounds; ++i) seed = Work(steps, seed);
    const double took = (Now() - start) / rounds;
    if (took < least) least = took;
  }
  return least;
}

// Each a call site of its own. The barrier before it ends what is no part of
// the computation.
#define COMPUTE(steps, calls)         \
  MPI_Barrier(MPI_COMM_SELF);         \
  for (int i = 0; i < (calls); ++i) { \
    seed = Work(steps, seed);         \
    MPI_Barrier(MPI_COMM_SELF);       \
  }                                   \
  printf("%d %.2f\n", calls, Calibrate(steps))

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (int i = 0; i < kWarmUp; ++i) MPI_Barrier(MPI_COMM_SELF);
  COMPUTE(30, kCalls);
  COMPUTE(100, kCalls + 1);
  COMPUTE(300, kCalls + 2);
  COMPUTE(1000, kCalls + 3);
  COMPUTE(3000, kCalls + 4);
  MPI_Finalize();
  return 0;
}
