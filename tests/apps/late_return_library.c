// Stands between whoever calls PMPI_Wait and PMPI_Waitall and the MPI library.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stddef.h>

// Called before they return.
void (*after_wait)(void) = NULL;

int PMPI_Wait(MPI_Request* request, MPI_Status* status) {
  static int (*real)(MPI_Request*, MPI_Status*);
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "PMPI_Wait");
  const int result = real(request, status);
  if (after_wait != NULL) after_wait();
  return result;
}

int PMPI_Waitall(int n, MPI_Request requests[], MPI_Status statuses[]) {
  static int (*real)(int, MPI_Request[], MPI_Status[]);
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "PMPI_Waitall");
  const int result = real(n, requests, statuses);
  if (after_wait != NULL) after_wait();
  return result;
}
