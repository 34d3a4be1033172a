/* Rank 0 deals tasks to whoever would be free first, were it not for the clock:
 * by what tasks cost, so that all runs deal alike. It takes from any source
 * what is given back for the task before. */
#include <mpi.h>
#include <stdlib.h>

enum { kTasks = 90, kLength = 256, kWork = 1, kResult = 2, kStop = 3 };

static int result[kLength];

static unsigned cost(int task) {
  unsigned a = (unsigned)(task + 1) * 0x45d9f3bu;
  return 100u + (a ^ (a >> 15)) % 400u;
}

static void deal(int ranks) {
  unsigned *busy_until = calloc((size_t)ranks, sizeof(unsigned));
  for (int task = 0; task < kTasks; ++task) {
    int free = 1;
    for (int r = 2; r < ranks; ++r) {
      if (busy_until[r] < busy_until[free]) free = r;
    }
    busy_until[free] += cost(task);
    MPI_Send(&task, 1, MPI_INT, free, kWork, MPI_COMM_WORLD);
    MPI_Recv(result, kLength, MPI_INT, MPI_ANY_SOURCE, kResult, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  }
  for (int r = 1; r < ranks; ++r) {
    MPI_Send(NULL, 0, MPI_INT, r, kStop, MPI_COMM_WORLD);
  }
  free(busy_until);
}

static void work(void) {
  for (;;) {
    int task;
    MPI_Status status;
    MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == kStop) return;
    MPI_Send(result, kLength, MPI_INT, 0, kResult, MPI_COMM_WORLD);
  }
}

int main(int argc, char **argv) {
  int me, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (me == 0) {
    deal(ranks);
  } else {
    work();
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
