// Rounds of which the first is not timed: the second begins with a barrier, as
// in the Parallel Research Kernels.
//   warm_up all    each rank with all others in turn: the loop over rounds
//                  shows by nothing but that barrier
//   warm_up edges  the neighbours on a line: conditions that come twice, for
//                  which compilers put the code of ranks that have both
//                  neighbours behind the end of the function
//   warm_up steps  such rounds in steps, each of which an MPI_Allreduce ends
#include <mpi.h>
#include <string.h>

enum { kRounds = 6, kMost = 120 };

static void WithAll(int rank, int ranks) {
  double out[kMost] = {0}, in[kMost];
  for (int step = 1; step < ranks; ++step) {
    MPI_Request receive, send;
    MPI_Irecv(in, 240 / ranks, MPI_DOUBLE, (rank + step) % ranks, step,
              MPI_COMM_WORLD, &receive);
    MPI_Isend(out, 240 / ranks, MPI_DOUBLE, (rank - step + ranks) % ranks, step,
              MPI_COMM_WORLD, &send);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
  }
}

static inline void WithNeighbours(int rank, int ranks) {
  double out[4] = {0}, in[4];
  MPI_Request requests[4];
  if (rank < ranks - 1) {
    MPI_Irecv(&in[0], 1, MPI_DOUBLE, rank + 1, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&out[0], 1, MPI_DOUBLE, rank + 1, 2, MPI_COMM_WORLD,
              &requests[1]);
  }
  if (rank > 0) {
    MPI_Irecv(&in[1], 1, MPI_DOUBLE, rank - 1, 2, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&out[1], 1, MPI_DOUBLE, rank - 1, 1, MPI_COMM_WORLD,
              &requests[3]);
  }
  if (rank < ranks - 1) {
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  }
  if (rank > 0) {
    MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[3], MPI_STATUS_IGNORE);
  }
}

static void OverEdges(int rank, int ranks) {
  double start = 0, time, longest;
  for (int round = 0; round < kRounds; ++round) {
    if (round == 1) start = MPI_Wtime();
    WithNeighbours(rank, ranks);
  }
  time = MPI_Wtime() - start;
  MPI_Reduce(&time, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
}

// Not known to the compiler.
int rounds_of_step[4] = {3, 2, 3, 3};

static void InSteps(int rank, int ranks) {
  double mine = 0, largest;
  for (int step = 0; step < 4; ++step) {
    const int rounds = rounds_of_step[step];
    for (int round = 0; round < rounds; ++round) WithNeighbours(rank, ranks);
    MPI_Allreduce(&mine, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  MPI_Reduce(&mine, &largest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc > 1 && strcmp(argv[1], "edges") == 0) {
    OverEdges(rank, ranks);
  } else if (argc > 1 && strcmp(argv[1], "steps") == 0) {
    InSteps(rank, ranks);
  } else {
    for (int round = 0; round < kRounds; ++round) {
      if (round == 1) MPI_Barrier(MPI_COMM_WORLD);
      WithAll(rank, ranks);
    }
  }
  MPI_Finalize();
  return 0;
}
