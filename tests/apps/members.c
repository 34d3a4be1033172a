/* An ensemble: members of two to four ranks, as the number of ranks has it,
 * pass edges round a ring of their own, both ways; then all that have one place
 * in their members add up what they have. */
#include <mpi.h>

enum { kSteps = 4 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, place;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int each = ranks % 2 == 0 ? 2 : 1;
  if (ranks % 3 == 0) each = 3;
  if (ranks % 4 == 0 && ranks >= 16) each = 4;
  MPI_Comm member, across;
  MPI_Comm_split(MPI_COMM_WORLD, rank / each, rank, &member);
  MPI_Comm_rank(member, &place);
  MPI_Comm_split(MPI_COMM_WORLD, place, rank, &across);
  const int up = (place + 1) % each, down = (place + each - 1) % each;
  double edge[4] = {0};
  for (int step = 0; step < kSteps; ++step) {
    MPI_Sendrecv(edge, 2, MPI_DOUBLE, up, 1, edge + 2, 2, MPI_DOUBLE, down, 1,
                 member, MPI_STATUS_IGNORE);
    MPI_Sendrecv(edge, 1, MPI_DOUBLE, down, 2, edge + 3, 1, MPI_DOUBLE, up, 2,
                 member, MPI_STATUS_IGNORE);
    MPI_Allreduce(MPI_IN_PLACE, edge, 4, MPI_DOUBLE, MPI_SUM, across);
  }
  MPI_Comm_free(&across);
  MPI_Comm_free(&member);
  MPI_Finalize();
  return 0;
}
