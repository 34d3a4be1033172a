// Receives posted for far more than what comes, into memory that is never
// touched. With `bytes` as argument, posts as many; prints nothing.
#include <mpi.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { kRounds = 5, kSent = 5 };

int main(int argc, char** argv) {
  int rank, ranks, values[kSent] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int room = argc > 1 ? atoi(argv[1]) : 1 << 20;
  void* const block = mmap(NULL, (size_t)room, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (block == MAP_FAILED) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int round = 0; round < kRounds; ++round) {
    MPI_Request request;
    MPI_Irecv(block, room, MPI_CHAR, (rank + ranks - 1) % ranks, 0,
              MPI_COMM_WORLD, &request);
    MPI_Send(values, kSent, MPI_INT, (rank + 1) % ranks, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  munmap(block, (size_t)room);
  MPI_Finalize();
  return 0;
}
