/* Pencils of a box on a plane of ranks are turned within rows, then within
 * columns: each rank gives each a block by a datatype of its own. No side of
 * the box is a multiple of all sides of the plane. */
#include <mpi.h>
#include <stdlib.h>

enum { kSteps = 3, kMost = 64 };

static void share(int whole, int parts, int part, int *length, int *first) {
  const int each = whole / parts, more = whole % parts;
  *length = each + (part < more);
  *first = part * each + (part < more ? part : more);
}

struct turn {
  MPI_Comm comm;
  int ranks, ones[kMost], none[kMost];
  MPI_Datatype gives[kMost], takes[kMost];
};

/* `whole` is cut along `axis` into the blocks that the others take. */
static void make_types(const struct turn *t, const int whole[3], int axis,
                       MPI_Datatype types[]) {
  for (int to = 0; to < t->ranks; ++to) {
    int part[3] = {whole[0], whole[1], whole[2]}, from[3] = {0, 0, 0};
    share(whole[axis], t->ranks, to, &part[axis], &from[axis]);
    MPI_Type_create_subarray(3, whole, part, from, MPI_ORDER_C, MPI_DOUBLE,
                             &types[to]);
    MPI_Type_commit(&types[to]);
  }
}

static void make_turn(struct turn *t, MPI_Comm comm, const int before[3],
                      int cut, const int after[3], int joined) {
  t->comm = comm;
  MPI_Comm_size(comm, &t->ranks);
  if (t->ranks > kMost) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < t->ranks; ++i) {
    t->ones[i] = 1;
    t->none[i] = 0;
  }
  make_types(t, before, cut, t->gives);
  make_types(t, after, joined, t->takes);
}

static void free_turn(struct turn *t) {
  for (int i = 0; i < t->ranks; ++i) {
    MPI_Type_free(&t->gives[i]);
    MPI_Type_free(&t->takes[i]);
  }
  MPI_Comm_free(&t->comm);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, sides[2] = {0, 0}, open[2] = {0, 0}, at[2], first;
  MPI_Comm plane, row, column;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 2, sides);
  MPI_Cart_create(MPI_COMM_WORLD, 2, sides, open, 0, &plane);
  MPI_Comm_rank(plane, &rank);
  MPI_Cart_coords(plane, rank, 2, at);
  MPI_Cart_sub(plane, (const int[]){0, 1}, &row);
  MPI_Cart_sub(plane, (const int[]){1, 0}, &column);
  const int box[3] = {16, 18, 20};
  int x[3] = {0, 0, box[2]}, y[3] = {0, box[1], 0}, z[3] = {box[0], 0, 0};
  share(box[0], sides[0], at[0], &x[0], &first);
  share(box[1], sides[1], at[1], &x[1], &first);
  share(box[2], sides[1], at[1], &y[2], &first);
  share(box[1], sides[0], at[0], &z[1], &first);
  y[0] = x[0];
  z[2] = y[2];
  struct turn in_row, in_column;
  make_turn(&in_row, row, x, 2, y, 1);
  make_turn(&in_column, column, y, 1, z, 0);
  double *from = calloc((size_t)(box[0] * box[1] * box[2]), sizeof *from);
  double *to = calloc((size_t)(box[0] * box[1] * box[2]), sizeof *to);
  for (int step = 0; step < kSteps; ++step) {
    MPI_Alltoallw(from, in_row.ones, in_row.none, in_row.gives, to, in_row.ones,
                  in_row.none, in_row.takes, row);
    MPI_Alltoallw(to, in_column.ones, in_column.none, in_column.gives, from,
                  in_column.ones, in_column.none, in_column.takes, column);
    MPI_Alltoallw(from, in_column.ones, in_column.none, in_column.takes, to,
                  in_column.ones, in_column.none, in_column.gives, column);
    MPI_Alltoallw(to, in_row.ones, in_row.none, in_row.takes, from, in_row.ones,
                  in_row.none, in_row.gives, row);
  }
  free_turn(&in_row);
  free_turn(&in_column);
  MPI_Comm_free(&plane);
  MPI_Finalize();
  free(from);
  free(to);
  return 0;
}
