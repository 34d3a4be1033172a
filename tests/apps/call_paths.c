// Call paths that are hard to follow: inlined functions, calls in tail
// position, no frame pointers, a function of a shared library, and one that
// is reached through a pointer. Built with -O2 -fomit-frame-pointer.
#include <mpi.h>
#include <stdio.h>

// In call_paths_library.c.
void LibrarySum(const int* in, int* out);

static int rank, ranks, in = 1, out;

static inline __attribute__((always_inline)) void Inlined(void) {
  MPI_Barrier(MPI_COMM_WORLD);
}

// Two sites that one inlined function makes of one call.
static __attribute__((noinline)) void CallsInlinedTwice(void) {
  Inlined();
  in += out;
  Inlined();
  in -= out;
}

// Jumps to MPI_Bcast: its own frame is gone by then.
static __attribute__((noinline)) int TailCalls(int root) {
  return MPI_Bcast(&in, 1, MPI_INT, root, MPI_COMM_WORLD);
}

static __attribute__((noinline)) void ManyLocals(int depth) {
  volatile char filler[200];
  filler[depth] = (char)depth;
  (void)filler[depth];
  if (depth > 0) {
    ManyLocals(depth - 1);
  } else {
    MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
  filler[depth] = 0;
}

static void ThroughPointer(void) { LibrarySum(&in, &out); }

int main(int argc, char** argv) {
  void (*volatile pointer)(void) = ThroughPointer;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < 3; ++i) {
    CallsInlinedTwice();
    TailCalls(i % ranks);
    ManyLocals(i);
    pointer();
  }
  if (rank == 0) printf("call_paths %d\n", out);
  MPI_Finalize();
  return 0;
}
