/* Teams of ranks, of as many as it happens. The first of each scatters tasks
 * over its team, to each as many as it can do, and gathers what came of them;
 * then the first ones of all teams agree. teams even: odd ranks are in none. */
#include <mpi.h>

enum { kTeam = 64, kMost = 32 };

/* How many tasks a rank can do. */
static int CanDo(int rank) { return 8 + (rank * rank + 3 * rank) % 11 % 7; }

static int IsFirst(int rank) {
  return rank == 0 || (rank * rank + rank / 3) % 7 < 2;
}

static int TeamOf(int rank) {
  int team = 0;
  for (int r = 1; r <= rank; ++r) team += IsFirst(r);
  return team;
}

static void Work(int can_do, MPI_Comm team, MPI_Comm first) {
  static double tasks[kTeam * kMost], mine[kMost], found[kTeam * kMost];
  int counts[kTeam], from[kTeam];
  double best = 0, all = 0;
  MPI_Gather(&can_do, 1, MPI_INT, counts, 1, MPI_INT, 0, team);
  for (int k = 0; k < kTeam; ++k) from[k] = k * kMost;
  for (int step = 0; step < 6; ++step) {
    MPI_Scatterv(tasks, counts, from, MPI_DOUBLE, mine, can_do, MPI_DOUBLE, 0,
                 team);
    MPI_Gatherv(mine, can_do, MPI_DOUBLE, found, counts, from, MPI_DOUBLE, 0,
                team);
    if (first != MPI_COMM_NULL) {
      MPI_Allreduce(&best, &all, 1, MPI_DOUBLE, MPI_MAX, first);
    }
    MPI_Bcast(&all, 1, MPI_DOUBLE, 0, team);
  }
}

int main(int argc, char **argv) {
  int me, place = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  const int is_out = argc > 1 && me % 2 != 0;
  MPI_Comm team, first;
  MPI_Comm_split(MPI_COMM_WORLD, is_out ? MPI_UNDEFINED : TeamOf(me), me,
                 &team);
  if (team != MPI_COMM_NULL) MPI_Comm_rank(team, &place);
  MPI_Comm_split(MPI_COMM_WORLD, place == 0 ? 0 : MPI_UNDEFINED, me, &first);
  if (team != MPI_COMM_NULL) Work(CanDo(me), team, first);
  if (first != MPI_COMM_NULL) MPI_Comm_free(&first);
  if (team != MPI_COMM_NULL) MPI_Comm_free(&team);
  MPI_Finalize();
  return 0;
}
