/* A mesh on a plane of ranks, cut as evenly as it goes, with a rim. Its blocks
 * are in windows, behind as many other numbers as data say, and neighbours put
 * edges into each other's rims: rows in one piece, columns with a stride that
 * is the neighbour's own. */
#include <mpi.h>
#include <stdlib.h>

enum { kSteps = 6, kRows = 100, kColumns = 90 };

static int share(int whole, int parts, int part) {
  return whole / parts + (part < whole % parts);
}

/* Numbers before a rank's block. */
static int numbers_before(int rank, int ranks) {
  return (rank * rank * rank + 5 * ranks) % 97;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, sides[2] = {0, 0}, open[2] = {0, 0}, at[2];
  MPI_Comm plane;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 2, sides);
  MPI_Cart_create(MPI_COMM_WORLD, 2, sides, open, 0, &plane);
  MPI_Comm_rank(plane, &rank);
  MPI_Cart_coords(plane, rank, 2, at);
  const int rows = share(kRows, sides[0], at[0]);
  const int columns = share(kColumns, sides[1], at[1]);
  const size_t points = (size_t)numbers_before(rank, ranks) +
                        (size_t)(rows + 2) * (size_t)(columns + 2);
  double *block;
  MPI_Win window;
  MPI_Win_allocate((MPI_Aint)(points * sizeof(double)), sizeof(double),
                   MPI_INFO_NULL, plane, &block, &window);
  for (size_t i = 0; i < points; ++i) block[i] = rank;
  MPI_Datatype mine;
  MPI_Type_vector(rows, 1, columns + 2, MPI_DOUBLE, &mine);
  MPI_Type_commit(&mine);
  MPI_Win_fence(0, window);
  for (int step = 0; step < kSteps; ++step) {
    for (int side = 0; side < 4; ++side) {
      const int along = side / 2, by = side % 2 ? 1 : -1;
      int from, to;
      MPI_Cart_shift(plane, along, by, &from, &to);
      if (to == MPI_PROC_NULL) continue;
      const MPI_Aint before = numbers_before(to, ranks);
      if (along == 0) {
        const int there = share(kRows, sides[0], at[0] + by);
        const int row = by > 0 ? 0 : there + 1;
        MPI_Put(block + columns + 3, columns, MPI_DOUBLE, to,
                before + (MPI_Aint)row * (columns + 2) + 1, columns, MPI_DOUBLE,
                window);
        continue;
      }
      const int there = share(kColumns, sides[1], at[1] + by);
      MPI_Datatype theirs;
      MPI_Type_vector(rows, 1, there + 2, MPI_DOUBLE, &theirs);
      MPI_Type_commit(&theirs);
      MPI_Put(block + columns + 3, 1, mine, to,
              before + there + 2 + (by > 0 ? 0 : there + 1), 1, theirs, window);
      MPI_Type_free(&theirs);
    }
    MPI_Win_fence(0, window);
  }
  MPI_Type_free(&mine);
  MPI_Win_free(&window);
  MPI_Comm_free(&plane);
  MPI_Finalize();
  return 0;
}
