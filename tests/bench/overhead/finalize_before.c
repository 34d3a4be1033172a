// Preloaded before a tracer, with finalize_after behind it: says on standard
// output how many microseconds of processor time rank 0 spends in MPI_Finalize
// once all ranks have come to it, without what MPI itself does there:
// "finalize MICROSECONDS".
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

#include "tests/bench/overhead/process_time.h"

static int depth;  // Fortran's call may pass through C's.
static double entered_us;

// Returns whether this process is rank 0.
static int Enter(void) {
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (depth++ == 0) {
    PMPI_Barrier(MPI_COMM_WORLD);
    entered_us = ProcessUs();
  }
  return rank == 0;
}

static void Leave(int is_root) {
  if (--depth > 0 || !is_root) return;
  const double* mpi_us = (const double*)dlsym(RTLD_DEFAULT, "finalize_mpi_us");
  printf("finalize %.0f\n", ProcessUs() - entered_us - *mpi_us);
  fflush(stdout);
}

int MPI_Finalize(void) {
  int (*next)(void) = (int (*)(void))dlsym(RTLD_NEXT, "MPI_Finalize");
  const int is_root = Enter();
  const int result = next();
  Leave(is_root);
  return result;
}

void mpi_finalize_(MPI_Fint* result) {
  void (*next)(MPI_Fint*) =
      (void (*)(MPI_Fint*))dlsym(RTLD_NEXT, "mpi_finalize_");
  const int is_root = Enter();
  next(result);
  Leave(is_root);
}
