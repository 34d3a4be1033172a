/* Faces between ranks in a ring are as wide as a partitioner made them; a
 * datatype for each goes through one call with all neighbours. */
#include <mpi.h>
#include <stdlib.h>

static int ranks;

/* Between a rank and the next. */
static int width(int r) {
  unsigned a = (unsigned)(r * 31 + ranks) * 0x45d9f3bu;
  return 40 + (int)((a ^ (a >> 15)) % 20u);
}

int main(int argc, char **argv) {
  int me, one = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm ring;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &one, 0, &ring);
  MPI_Comm_rank(ring, &me);
  const int widths[2] = {width((me + ranks - 1) % ranks), width(me)};
  MPI_Datatype faces[2];
  for (int side = 0; side < 2; ++side) {
    MPI_Type_contiguous(widths[side], MPI_DOUBLE, &faces[side]);
    MPI_Type_commit(&faces[side]);
  }
  const int counts[2] = {1, 1};
  const MPI_Aint at[2] = {0, widths[0] * (MPI_Aint)sizeof(double)};
  double *from = calloc((size_t)(widths[0] + widths[1]), sizeof(double));
  double *to = calloc((size_t)(widths[0] + widths[1]), sizeof(double));
  for (int step = 0; step < 10; ++step) {
    MPI_Neighbor_alltoallw(from, counts, at, faces, to, counts, at, faces,
                           ring);
  }
  free(to);
  free(from);
  for (int side = 0; side < 2; ++side) MPI_Type_free(&faces[side]);
  MPI_Comm_free(&ring);
  MPI_Finalize();
  return 0;
}
