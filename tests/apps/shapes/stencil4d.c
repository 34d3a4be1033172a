// A 4-D stencil, periodic, as of lattice field theory.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int ranks, rank, dims[4] = {0}, periodic[4] = {1, 1, 1, 1};
  static double out[8][32], in[8][32];
  MPI_Comm grid;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 4, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 4, dims, periodic, 0, &grid);
  MPI_Comm_rank(grid, &rank);
  for (int step = 0; step < 4; ++step) {
    MPI_Request requests[16];
    for (int d = 0; d < 4; ++d) {
      int low, high;
      MPI_Cart_shift(grid, d, 1, &low, &high);
      MPI_Irecv(in[2 * d], 32, MPI_DOUBLE, low, d, grid, &requests[4 * d]);
      MPI_Irecv(in[2 * d + 1], 32, MPI_DOUBLE, high, 4 + d, grid,
                &requests[4 * d + 1]);
      MPI_Isend(out[2 * d], 32, MPI_DOUBLE, high, d, grid,
                &requests[4 * d + 2]);
      MPI_Isend(out[2 * d + 1], 32, MPI_DOUBLE, low, 4 + d, grid,
                &requests[4 * d + 3]);
    }
    MPI_Waitall(16, requests, MPI_STATUSES_IGNORE);
  }
  if (rank == 0) printf("stencil4d: %d ranks\n", ranks);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
