// Preloaded behind a tracer: the processor time that MPI itself takes in
// MPI_Finalize, for finalize_before.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>

#include "tests/bench/overhead/process_time.h"

double finalize_mpi_us;

static int Timed(const char* name) {
  static int is_inside;  // One of the two may be the other.
  int (*next)(void) = (int (*)(void))dlsym(RTLD_NEXT, name);
  if (is_inside) return next();
  is_inside = 1;
  const double start_us = ProcessUs();
  const int result = next();
  finalize_mpi_us += ProcessUs() - start_us;
  is_inside = 0;
  return result;
}

int MPI_Finalize(void) { return Timed("MPI_Finalize"); }
int PMPI_Finalize(void) { return Timed("PMPI_Finalize"); }
