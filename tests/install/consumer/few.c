/* Calls nothing that the runtime does not stand before. */
#include <mpi.h>

int main(int argc, char** argv) {
  int failed = MPI_Init(&argc, &argv);
  failed |= MPI_Barrier(MPI_COMM_WORLD);
  failed |= MPI_Finalize();
  return failed != MPI_SUCCESS;
}
