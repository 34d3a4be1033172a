/* Columns and rows of a square of ranks are given panels by whoever has them; a
 * panel ends where a block ends, so that ranks go through loops of their own.
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  enum { kOrder = 230, kWidth = 16 };
  int me, ranks, side = 1, own = 0, at[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  while (side * side < ranks) ++side;
  const int sides[2] = {side, side}, open[2] = {0, 0};
  const int along_row[2] = {0, 1}, along_column[2] = {1, 0};
  MPI_Comm grid, row, column;
  MPI_Cart_create(MPI_COMM_WORLD, 2, sides, open, 0, &grid);
  MPI_Cart_coords(grid, me, 2, at);
  MPI_Cart_sub(grid, along_row, &row);
  MPI_Cart_sub(grid, along_column, &column);
  const int high = kOrder * (at[0] + 1) / side - kOrder * at[0] / side;
  const int wide = kOrder * (at[1] + 1) / side - kOrder * at[1] / side;
  double *a = calloc((size_t)(high * kWidth), sizeof(double));
  double *b = calloc((size_t)(wide * kWidth), sizeof(double));
  for (int done = 0, panel; done < kOrder; done += panel) {
    while (done >= kOrder * (own + 1) / side) ++own;
    const int left = kOrder * (own + 1) / side - done;
    panel = left < kWidth ? left : kWidth;
    MPI_Bcast(a, high * panel, MPI_DOUBLE, own, row);
    MPI_Bcast(b, wide * panel, MPI_DOUBLE, own, column);
  }
  free(b);
  free(a);
  MPI_Comm_free(&column);
  MPI_Comm_free(&row);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
