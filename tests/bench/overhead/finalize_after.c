// Preloaded behind a tracer: the processor time that MPI itself takes in
// MPI_Finalize, for finalize_before. A tracer may end before it calls on, or
// within, in what it hung on MPI_COMM_SELF when MPI began. What is hung there
// before the tracer's own is deleted after it, so MPI's own time begins there.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>

#include "tests/bench/overhead/process_time.h"

double finalize_mpi_us;

static double mpi_began_us;
static int is_inside;  // One of two calls of MPI's may be the other.

static int TracerEnded(MPI_Comm comm, int key, void* value, void* state) {
  (void)comm, (void)key, (void)value, (void)state;
  mpi_began_us = ProcessUs();
  return MPI_SUCCESS;
}

static int HangFirst(int result) {
  static int is_hung;
  int key;
  if (result != MPI_SUCCESS || is_hung++) return result;
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, TracerEnded, &key, NULL);
  PMPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  PMPI_Comm_free_keyval(&key);
  return result;
}

static int Init(const char* name, int* argc, char*** argv) {
  int (*next)(int*, char***) = (int (*)(int*, char***))dlsym(RTLD_NEXT, name);
  return HangFirst(next(argc, argv));
}

static int InitThread(const char* name, int* argc, char*** argv, int required,
                      int* provided) {
  int (*next)(int*, char***, int, int*) =
      (int (*)(int*, char***, int, int*))dlsym(RTLD_NEXT, name);
  return HangFirst(next(argc, argv, required, provided));
}

static int Timed(const char* name) {
  int (*next)(void) = (int (*)(void))dlsym(RTLD_NEXT, name);
  if (is_inside) return next();
  is_inside = 1;
  mpi_began_us = ProcessUs();
  const int result = next();
  finalize_mpi_us += ProcessUs() - mpi_began_us;
  is_inside = 0;
  return result;
}

int MPI_Init(int* argc, char*** argv) { return Init("MPI_Init", argc, argv); }
int PMPI_Init(int* argc, char*** argv) { return Init("PMPI_Init", argc, argv); }
int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  return InitThread("MPI_Init_thread", argc, argv, required, provided);
}
int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  return InitThread("PMPI_Init_thread", argc, argv, required, provided);
}
int MPI_Finalize(void) { return Timed("MPI_Finalize"); }
int PMPI_Finalize(void) { return Timed("PMPI_Finalize"); }
