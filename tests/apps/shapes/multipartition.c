// A square multipartition, as solvers that sweep along each direction use it:
// each rank of a q x q grid owns q cells on a diagonal of a q x q x q grid and
// sends, each way along each direction, the faces of all its cells that have
// a neighbour there. Needs a square number of ranks.
#include <mpi.h>
#include <stdio.h>

enum { kPoints = 23, kMost = kPoints * kPoints * kPoints };

// Of a point's cell `x` of q along one direction.
static int Block(int x, int q) { return kPoints / q + (x < kPoints % q); }

static int Cell(int direction, int k, int row, int column, int q) {
  if (direction == 0) return k;
  if (direction == 1) return (row + k) % q;
  return ((column - k) % q + q) % q;
}

// Points of the faces towards `end`, where the outermost cell has none.
static int Faces(int direction, int end, int row, int column, int q) {
  int sum = 0;
  for (int k = 0; k < q; ++k) {
    if (Cell(direction, k, row, column, q) == end) continue;
    sum += Block(Cell((direction + 1) % 3, k, row, column, q), q) *
           Block(Cell((direction + 2) % 3, k, row, column, q), q);
  }
  return sum;
}

int main(int argc, char** argv) {
  // What one cell further along a direction means for the rank's place.
  static const int kRow[] = {-1, 1, 0}, kColumn[] = {1, 0, 1};
  static int out[kMost], in[kMost];
  int ranks, rank, q = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  while (q * q < ranks) ++q;
  int row = rank / q, column = rank % q;
  for (int step = 0; step < 3; ++step) {
    for (int d = 0; d < 3; ++d) {
      int up = (row + kRow[d] + q) % q * q + (column + kColumn[d]) % q;
      int down = (row - kRow[d] + q) % q * q + (column - kColumn[d] + q) % q;
      int to_up = Faces(d, q - 1, row, column, q);
      int to_down = Faces(d, 0, row, column, q);
      MPI_Sendrecv(out, to_up, MPI_INT, up, d, in, kMost, MPI_INT, down, d,
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Sendrecv(out, to_down, MPI_INT, down, 3 + d, in, kMost, MPI_INT, up,
                   3 + d, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  if (rank == 0) printf("multipartition: %d x %d\n", q, q);
  MPI_Finalize();
  return 0;
}
