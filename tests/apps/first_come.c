// Rank 0 takes the first messages of each round from whoever comes first, and
// the others by name: calls that go together only if the same ranks come first
// again. Who that is depends on the computation, which ranks do by turns.
#include <mpi.h>
#include <string.h>
#include <unistd.h>

enum { kRounds = 12, kMost = 64, kTag = 7 };

static int rank, ranks, in[kMost], out;

static void TakeTheRest(const char* came) {
  for (int r = 1; r < ranks; ++r) {
    if (came[r]) continue;
    MPI_Recv(in, 1, MPI_INT, r, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void TakeOne(void) {
  char came[kMost] = {0};
  MPI_Status status;
  MPI_Recv(in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
           &status);
  came[status.MPI_SOURCE] = 1;
  TakeTheRest(came);
}

static void TakeTwo(void) {
  char came[kMost] = {0};
  MPI_Request requests[2];
  for (int i = 0; i < 2; ++i) {
    MPI_Irecv(&in[i], 1, MPI_INT, MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD,
              &requests[i]);
  }
  for (int i = 0; i < 2; ++i) {
    MPI_Status status;
    int index;
    MPI_Waitany(2, requests, &index, &status);
    came[status.MPI_SOURCE] = 1;
  }
  TakeTheRest(came);
}

static void TakeProbed(void) {
  char came[kMost] = {0};
  MPI_Status status;
  // MPI need not write all of it.
  memset(&status, 0xff, sizeof status);
  MPI_Probe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &status);
  came[status.MPI_SOURCE] = 1;
  MPI_Recv(in, 1, MPI_INT, status.MPI_SOURCE, kTag, MPI_COMM_WORLD, &status);
  TakeTheRest(came);
}

int main(int argc, char** argv) {
  static void (*const kTake[])(void) = {&TakeOne, &TakeTwo, &TakeProbed};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks < 3 || ranks > kMost) MPI_Abort(MPI_COMM_WORLD, 2);
  for (int round = 0; round < kRounds; ++round) {
    if (rank == 0) {
      kTake[round % 3]();
    } else {
      usleep(1000u * (unsigned)((3 * rank + 2 * round) % 5));
      MPI_Send(&out, 1, MPI_INT, 0, kTag, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
