// A 3-D halo with all 26 neighbours, periodic.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int ranks, rank, dims[3] = {0}, periodic[3] = {1, 1, 1}, at[3];
  static char out[64], in[26][64];
  MPI_Comm grid;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 3, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periodic, 0, &grid);
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_coords(grid, rank, 3, at);
  for (int step = 0; step < 4; ++step) {
    MPI_Request requests[52];
    int count = 0;
    for (int n = 0; n < 27; ++n) {
      int by[3] = {n / 9 - 1, n / 3 % 3 - 1, n % 3 - 1}, there[3], peer;
      int bytes = 64 >> 2 * (abs(by[0]) + abs(by[1]) + abs(by[2]) - 1);
      if (n == 13) continue;
      for (int d = 0; d < 3; ++d) there[d] = at[d] + by[d];
      MPI_Cart_rank(grid, there, &peer);
      MPI_Irecv(in[count / 2], bytes, MPI_CHAR, peer, 26 - n, grid,
                &requests[count]);
      MPI_Isend(out, bytes, MPI_CHAR, peer, n, grid, &requests[count + 1]);
      count += 2;
    }
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  }
  if (rank == 0) printf("halo26: %d ranks\n", ranks);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
