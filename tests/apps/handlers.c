// handlers before|after: the program handles SIGSEGV itself, from before or
// after MPI_Init on, gets one, and ends with exit code 7 by its handler.
#include <mpi.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static void OnSegv(int signal) {
  (void)signal;
  _exit(7);
}

int main(int argc, char** argv) {
  const int before = argc > 1 && strcmp(argv[1], "before") == 0;
  if (before) signal(SIGSEGV, OnSegv);
  MPI_Init(&argc, &argv);
  if (!before) signal(SIGSEGV, OnSegv);
  MPI_Barrier(MPI_COMM_WORLD);
  raise(SIGSEGV);
  MPI_Finalize();
  return 0;
}
