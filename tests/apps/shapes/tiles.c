// tiles DIMENSIONS: a whole of 103 x 57 points is cut among the ranks, who form
// a line or a grid, so that parts differ by a row or a column. Rank 0 deals the
// parts out and takes them back, rank by rank; then all give theirs to rank 0,
// to all, and get them from rank 0, by collectives that name each part's size.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kRows = 103, kColumns = 57 };
static int ranks, sides[2] = {0, 0};

static int Block(int whole, int parts, int at) {
  return whole / parts + (at < whole % parts ? 1 : 0);
}

static int PointsOf(int rank) {
  return Block(kRows, sides[0], rank / sides[1]) *
         Block(kColumns, sides[1], rank % sides[1]);
}

static void InTurn(int rank, double* all) {
  for (int to = 1; rank == 0 && to < ranks; ++to) {
    MPI_Send(all, PointsOf(to), MPI_DOUBLE, to, 1, MPI_COMM_WORLD);
  }
  if (rank > 0) {
    const int mine = PointsOf(rank);
    MPI_Recv(all, mine, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(all, mine, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
  }
  for (int from = 1; rank == 0 && from < ranks; ++from) {
    MPI_Recv(all, PointsOf(from), MPI_DOUBLE, from, 2, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  }
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 1 && atoi(argv[1]) == 1) sides[1] = 1;
  MPI_Dims_create(ranks, 2, sides);
  int *points = malloc(sizeof(int) * (size_t)ranks), *at = calloc(ranks, 4);
  for (int r = 0; r < ranks; ++r) {
    points[r] = PointsOf(r);
    if (r > 0) at[r] = at[r - 1] + points[r - 1];
  }
  double* part = calloc(kRows * kColumns, sizeof(double));
  double* all = calloc(kRows * kColumns, sizeof(double));
  for (int step = 0; step < 3; ++step) {
    InTurn(rank, all);
    MPI_Gatherv(part, points[rank], MPI_DOUBLE, all, points, at, MPI_DOUBLE, 0,
                MPI_COMM_WORLD);
    MPI_Allgatherv(part, points[rank], MPI_DOUBLE, all, points, at, MPI_DOUBLE,
                   MPI_COMM_WORLD);
    MPI_Scatterv(all, points, at, MPI_DOUBLE, part, points[rank], MPI_DOUBLE, 0,
                 MPI_COMM_WORLD);
  }
  if (rank == 0) printf("tiles: %d x %d ranks\n", sides[0], sides[1]);
  free(all);
  free(part);
  free(at);
  free(points);
  MPI_Finalize();
  return 0;
}
