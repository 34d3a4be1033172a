// The communication of a 3-D FFT on pencils: all-to-all in rows, then in
// columns, of a grid that MPI_Comm_split makes; one partner at the mirrored
// place exchanges a pencil. Needs a square number of ranks.
#include <mpi.h>
#include <stdio.h>

enum { kPoints = 1728000 };

int main(int argc, char** argv) {
  int ranks, rank, side = 1;
  static int out[kPoints], in[kPoints];
  MPI_Comm row, column;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  while (side * side < ranks) ++side;
  MPI_Comm_split(MPI_COMM_WORLD, rank / side, rank % side, &row);
  MPI_Comm_split(MPI_COMM_WORLD, rank % side, rank / side, &column);
  for (int step = 0; step < 3; ++step) {
    MPI_Alltoall(out, kPoints / ranks / side, MPI_INT, in,
                 kPoints / ranks / side, MPI_INT, row);
    MPI_Alltoall(out, kPoints / ranks / side, MPI_INT, in,
                 kPoints / ranks / side, MPI_INT, column);
    int mirror = rank % side * side + rank / side;
    MPI_Sendrecv(out, 16, MPI_INT, mirror, 5, in, 16, MPI_INT, mirror, 5,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Bcast(out, side, MPI_INT, 0, column);
  }
  MPI_Comm_free(&row);
  MPI_Comm_free(&column);
  if (rank == 0) printf("transpose: %d x %d\n", side, side);
  MPI_Finalize();
  return 0;
}
