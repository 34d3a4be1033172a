/* Neighbours in turn compare what they have, one decides, and if it says so
 * they swap: sends and receives in one call and by themselves. */
#include <mpi.h>

static unsigned mixed(unsigned a) {
  a = (a ^ (a >> 16)) * 0x45d9f3bu;
  return a ^ (a >> 16);
}

int main(int argc, char **argv) {
  enum { kRounds = 40, kSize = 512 };
  int me, ranks, energy = 0, other, accepted = 0, all;
  static char mine[kSize], theirs[kSize];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int round = 0; round < kRounds; ++round) {
    const int mate = (me + round) % 2 == 0 ? me + 1 : me - 1;
    if (mate < 0 || mate >= ranks) continue;
    const int low = me < mate ? me : mate;
    int yes = mixed((unsigned)(low * 64 + round)) % 100u < 70u;
    MPI_Sendrecv(&energy, 1, MPI_INT, mate, 1, &other, 1, MPI_INT, mate, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (me < mate) {
      MPI_Send(&yes, 1, MPI_INT, mate, 2, MPI_COMM_WORLD);
    } else {
      MPI_Recv(&yes, 1, MPI_INT, mate, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (yes) {
      MPI_Sendrecv(mine, kSize, MPI_CHAR, mate, 3, theirs, kSize, MPI_CHAR,
                   mate, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    accepted += yes;
  }
  MPI_Reduce(&accepted, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
