/* Blocks go round the rows of a square of ranks; those on its diagonal, who are
 * together in a communicator, sum up and tell all. */
#include <mpi.h>

int main(int argc, char **argv) {
  enum { kBlock = 64 };
  int me, ranks, side = 1, left, right, at[2];
  double block[kBlock] = {0}, sum = 1, all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  while (side * side < ranks) ++side;
  const int sides[2] = {side, side}, round[2] = {1, 1};
  MPI_Comm torus, diagonal;
  MPI_Cart_create(MPI_COMM_WORLD, 2, sides, round, 0, &torus);
  MPI_Cart_coords(torus, me, 2, at);
  MPI_Cart_shift(torus, 1, 1, &left, &right);
  MPI_Comm_split(torus, at[0] == at[1] ? 0 : MPI_UNDEFINED, at[0], &diagonal);
  for (int step = 0; step < 10; ++step) {
    for (int k = 1; k < side; ++k) {
      MPI_Sendrecv_replace(block, kBlock, MPI_DOUBLE, left, 5, right, 5, torus,
                           MPI_STATUS_IGNORE);
    }
    if (diagonal != MPI_COMM_NULL) {
      MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, diagonal);
    }
    MPI_Bcast(&all, 1, MPI_DOUBLE, 0, torus);
  }
  if (diagonal != MPI_COMM_NULL) MPI_Comm_free(&diagonal);
  MPI_Comm_free(&torus);
  MPI_Finalize();
  return 0;
}
