/* Levels of which each has every second rank of the finer one, as coarse grids
 * of multigrid: neighbours on each level, and from who is left out to who goes
 * on and back. How many levels a rank has, and on which communicator it calls,
 * follows no law of its number. */
#include <mpi.h>

enum { kMostLevels = 16, kPoints = 48 };

static double here[kPoints], there[kPoints];

static void TalkToNeighbours(MPI_Comm level) {
  int me, ranks, done = 0;
  MPI_Request requests[4];
  MPI_Comm_rank(level, &me);
  MPI_Comm_size(level, &ranks);
  const int left = me > 0 ? me - 1 : MPI_PROC_NULL;
  const int right = me + 1 < ranks ? me + 1 : MPI_PROC_NULL;
  MPI_Irecv(&there[0], 1, MPI_DOUBLE, left, 1, level, &requests[done++]);
  MPI_Irecv(&there[1], 1, MPI_DOUBLE, right, 2, level, &requests[done++]);
  MPI_Isend(&here[1], 1, MPI_DOUBLE, right, 1, level, &requests[done++]);
  MPI_Isend(&here[0], 1, MPI_DOUBLE, left, 2, level, &requests[done++]);
  MPI_Waitall(done, requests, MPI_STATUSES_IGNORE);
}

static void Cycle(const MPI_Comm *levels, int level) {
  int me, ranks;
  TalkToNeighbours(levels[level]);
  MPI_Comm_rank(levels[level], &me);
  MPI_Comm_size(levels[level], &ranks);
  if (ranks == 1) return;
  if (me % 2 != 0) {
    MPI_Send(here, kPoints, MPI_DOUBLE, me - 1, 3, levels[level]);
    MPI_Recv(here, kPoints, MPI_DOUBLE, me - 1, 4, levels[level],
             MPI_STATUS_IGNORE);
  } else {
    const int other = me + 1 < ranks ? me + 1 : MPI_PROC_NULL;
    MPI_Recv(there, kPoints, MPI_DOUBLE, other, 3, levels[level],
             MPI_STATUS_IGNORE);
    Cycle(levels, level + 1);
    MPI_Send(there, kPoints, MPI_DOUBLE, other, 4, levels[level]);
  }
  TalkToNeighbours(levels[level]);
}

int main(int argc, char **argv) {
  MPI_Comm levels[kMostLevels];
  int count = 0, me, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &levels[count++]);
  do {
    MPI_Comm_rank(levels[count - 1], &me);
    MPI_Comm_size(levels[count - 1], &ranks);
    if (ranks == 1) break;
    MPI_Comm_split(levels[count - 1], me % 2 == 0 ? 0 : MPI_UNDEFINED, me,
                   &levels[count]);
  } while (levels[count] != MPI_COMM_NULL && ++count < kMostLevels);
  for (int step = 0; step < 6; ++step) {
    Cycle(levels, 0);
    double sum = here[0], all;
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  while (count > 0) MPI_Comm_free(&levels[--count]);
  MPI_Finalize();
  return 0;
}
