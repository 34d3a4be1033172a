// meets FIFO read|write: two launches that are both between MPI_Init and
// MPI_Finalize at one moment, as opening either end waits for the other.
#include <fcntl.h>
#include <mpi.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  if (argc != 3) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    close(open(argv[1], strcmp(argv[2], "read") == 0 ? O_RDONLY : O_WRONLY));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
