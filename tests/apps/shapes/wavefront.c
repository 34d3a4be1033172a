// A wavefront over an open grid, from two opposite corners, in slabs; the
// points of a side are shared out with a remainder.
//   wavefront [NS]: computes NS nanoseconds a point and slab
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { kPoints = 101, kSlabs = 3, kSweeps = 4 };

static int Share(int parts, int part) {
  return kPoints / parts + (part < kPoints % parts);
}

static double ns_a_point;

static void Work(const int share[2]) {
  const double ns = ns_a_point * share[0] * share[1];
  if (ns < 1) return;
  struct timespec t = {(time_t)(ns / 1e9), (long)ns % 1000000000L};
  nanosleep(&t, NULL);
}

static void Sweep(MPI_Comm grid, const int share[2], int towards) {
  static double edge[2][kPoints];
  for (int slab = 0; slab < kSlabs; ++slab) {
    int from[2], to[2];
    for (int d = 0; d < 2; ++d) {
      MPI_Cart_shift(grid, d, towards, &from[d], &to[d]);
      if (from[d] == MPI_PROC_NULL) continue;
      MPI_Recv(edge[d], share[1 - d], MPI_DOUBLE, from[d], slab, grid,
               MPI_STATUS_IGNORE);
    }
    Work(share);
    for (int d = 0; d < 2; ++d) {
      if (to[d] == MPI_PROC_NULL) continue;
      MPI_Send(edge[d], share[1 - d], MPI_DOUBLE, to[d], slab, grid);
    }
  }
}

int main(int argc, char** argv) {
  int ranks, rank, dims[2] = {0, 0}, open[2] = {0, 0}, at[2], share[2];
  MPI_Comm grid;
  MPI_Init(&argc, &argv);
  if (argc > 1) ns_a_point = atof(argv[1]);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, open, 0, &grid);
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_coords(grid, rank, 2, at);
  for (int d = 0; d < 2; ++d) share[d] = Share(dims[d], at[d]);
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    Sweep(grid, share, 1);
    Sweep(grid, share, -1);
  }
  if (rank == 0) printf("wavefront: %d x %d\n", dims[0], dims[1]);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
