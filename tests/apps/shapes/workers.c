// A master and its workers: rounds of one task for each, answers taken in
// order, a last message that ends them.
#include <mpi.h>
#include <stdio.h>

enum { kRounds = 5, kTask = 1, kAnswer = 2, kEnd = 3 };

static void Master(int ranks) {
  int task[8] = {0}, answer[2];
  for (int round = 0; round < kRounds; ++round) {
    for (int w = 1; w < ranks; ++w) {
      MPI_Send(task, 8, MPI_INT, w, kTask, MPI_COMM_WORLD);
    }
    for (int w = 1; w < ranks; ++w) {
      MPI_Recv(answer, 2, MPI_INT, w, kAnswer, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    }
  }
  for (int w = 1; w < ranks; ++w) {
    MPI_Send(NULL, 0, MPI_INT, w, kEnd, MPI_COMM_WORLD);
  }
}

static void Worker(void) {
  int task[8], answer[2] = {0};
  for (;;) {
    MPI_Status status;
    MPI_Recv(task, 8, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == kEnd) return;
    MPI_Send(answer, 2, MPI_INT, 0, kAnswer, MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  int ranks, rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    Master(ranks);
    printf("workers: %d ranks\n", ranks);
  } else {
    Worker();
  }
  MPI_Finalize();
  return 0;
}
