// unsafe BYTES: each rank sends so many bytes to the next before it receives
// from the last, ten times. Ends only where the MPI library keeps the messages.
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int bytes = argc > 1 ? atoi(argv[1]) : 8;
  char* out = calloc(1, (size_t)bytes);
  char* in = calloc(1, (size_t)bytes);
  for (int i = 0; i < 10; ++i) {
    MPI_Send(out, bytes, MPI_CHAR, (rank + 1) % ranks, 7, MPI_COMM_WORLD);
    MPI_Recv(in, bytes, MPI_CHAR, (rank + ranks - 1) % ranks, 7, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  }
  free(out);
  free(in);
  MPI_Finalize();
  return 0;
}
