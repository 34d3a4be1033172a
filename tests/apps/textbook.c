// textbook WHAT: a program as textbooks write it, of the kind named. Each cuts
// what does not divide in a way of its own.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int me, ranks;

// The first parts get one more.
static int share(int n, int parts, int i) {
  return n / parts + (i < n % parts);
}

static int first_of(int n, int parts, int i) {
  return i * (n / parts) + (i < n % parts ? i : n % parts);
}

static double *numbers(int n) { return calloc((size_t)n + 1, sizeof(double)); }

// Rank 0 deals rows of a matrix out to the others, and takes them back.
static void product(void) {
  enum { kRows = 100 };
  double *a = numbers(kRows * kRows);
  for (int r = 1; r < ranks; ++r) {
    int rows = share(kRows, ranks - 1, r - 1);
    if (me == 0) {
      MPI_Send(&rows, 1, MPI_INT, r, 1, MPI_COMM_WORLD);
      MPI_Send(a, rows * kRows, MPI_DOUBLE, r, 1, MPI_COMM_WORLD);
    } else if (me == r) {
      MPI_Recv(&rows, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Recv(a, rows * kRows, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    }
  }
  for (int r = 1; r < ranks; ++r) {
    int rows = share(kRows, ranks - 1, r - 1);
    if (me == 0) {
      MPI_Recv(a, rows * kRows, MPI_DOUBLE, r, 2, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    } else if (me == r) {
      MPI_Send(a, rows * kRows, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
    }
  }
  free(a);
}

// A grid of uneven blocks; at the end rank 0 takes each block row by row.
static void heat(void) {
  int side[2] = {0, 0}, open[2] = {0, 0}, at[2], near[4];
  MPI_Comm grid;
  MPI_Dims_create(ranks, 2, side);
  MPI_Cart_create(MPI_COMM_WORLD, 2, side, open, 0, &grid);
  MPI_Cart_coords(grid, me, 2, at);
  MPI_Cart_shift(grid, 0, 1, &near[0], &near[1]);
  MPI_Cart_shift(grid, 1, 1, &near[2], &near[3]);
  int block[2] = {share(101, side[0], at[0]), share(77, side[1], at[1])};
  double *b = numbers(200 * 200);
  MPI_Datatype column;
  MPI_Type_vector(block[0], 1, block[1] + 2, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  for (int step = 0; step < 4; ++step) {
    MPI_Request r[8];
    for (int k = 0; k < 4; ++k) {
      int n = k < 2 ? block[1] : 1;
      MPI_Datatype type = k < 2 ? MPI_DOUBLE : column;
      MPI_Irecv(b, n, type, near[k], k ^ 1, grid, &r[k]);
      MPI_Isend(b, n, type, near[k], k, grid, &r[4 + k]);
    }
    MPI_Waitall(8, r, MPI_STATUSES_IGNORE);
  }
  if (me != 0) MPI_Send(block, 2, MPI_INT, 0, 5, grid);
  for (int i = 0; me != 0 && i < block[0]; ++i) {
    MPI_Send(b, block[1], MPI_DOUBLE, 0, 6, grid);
  }
  for (int r = 1; me == 0 && r < ranks; ++r) {
    int theirs[2];
    MPI_Recv(theirs, 2, MPI_INT, r, 5, grid, MPI_STATUS_IGNORE);
    for (int i = 0; i < theirs[0]; ++i) {
      MPI_Recv(b, theirs[1], MPI_DOUBLE, r, 6, grid, MPI_STATUS_IGNORE);
    }
  }
  MPI_Type_free(&column);
  MPI_Comm_free(&grid);
  free(b);
}

// A file of which each rank writes its part, and reads it through a view.
static void file(void) {
  enum { kNumbers = 1000 };
  int n = share(kNumbers, ranks, me);
  MPI_Offset from = 8 * (MPI_Offset)first_of(kNumbers, ranks, me);
  double *b = numbers(n);
  MPI_File f;
  MPI_File_open(MPI_COMM_WORLD, "textbook.data",
                MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
  MPI_File_write_at_all(f, from, b, n, MPI_DOUBLE, MPI_STATUS_IGNORE);
  MPI_File_set_view(f, from, MPI_DOUBLE, MPI_DOUBLE, "native", MPI_INFO_NULL);
  MPI_File_read_all(f, b, n, MPI_DOUBLE, MPI_STATUS_IGNORE);
  MPI_File_close(&f);
  free(b);
}

// Blocks of a matrix that rank 0 scatters by a datatype that is resized.
static void blocks(void) {
  enum { kSide = 48 };
  int side[2] = {0, 0};
  MPI_Dims_create(ranks, 2, side);
  int rows = kSide / side[0], columns = kSide / side[1];
  double *all = numbers(kSide * kSide), *mine = numbers(rows * columns);
  MPI_Datatype strided, block;
  MPI_Type_vector(rows, columns, kSide, MPI_DOUBLE, &strided);
  MPI_Type_create_resized(strided, 0, 8 * columns, &block);
  MPI_Type_commit(&block);
  int *counts = calloc((size_t)ranks, sizeof(int));
  int *places = calloc((size_t)ranks, sizeof(int));
  for (int r = 0; r < ranks; ++r) {
    counts[r] = 1;
    places[r] = r / side[1] * rows * side[1] + r % side[1];
  }
  MPI_Scatterv(all, counts, places, block, mine, rows * columns, MPI_DOUBLE, 0,
               MPI_COMM_WORLD);
  MPI_Gatherv(mine, rows * columns, MPI_DOUBLE, all, counts, places, block, 0,
              MPI_COMM_WORLD);
  MPI_Type_free(&block);
  MPI_Type_free(&strided);
  free(counts);
  free(places);
  free(all);
  free(mine);
}

// A matrix cut in rows is to be cut in columns.
static void transpose(void) {
  enum { kSide = 100 };
  int *lists[4];
  for (int i = 0; i < 4; ++i) lists[i] = calloc((size_t)ranks, sizeof(int));
  int all = 0;
  for (int r = 0; r < ranks; ++r) {
    int n = share(kSide, ranks, me) * share(kSide, ranks, r);
    lists[0][r] = lists[2][r] = n;
    lists[1][r] = lists[3][r] = all;
    all += n;
  }
  double *out = numbers(all), *in = numbers(all);
  for (int step = 0; step < 3; ++step) {
    MPI_Alltoallv(out, lists[0], lists[1], MPI_DOUBLE, in, lists[2], lists[3],
                  MPI_DOUBLE, MPI_COMM_WORLD);
  }
  for (int i = 0; i < 4; ++i) free(lists[i]);
  free(out);
  free(in);
}

// A vector whose parts begin at floor(r * n / ranks).
static void gradients(void) {
  enum { kLength = 997 };
  int *counts = calloc((size_t)ranks, sizeof(int));
  int *begins = calloc((size_t)ranks, sizeof(int));
  for (int r = 0; r < ranks; ++r) {
    begins[r] = r * kLength / ranks;
    counts[r] = (r + 1) * kLength / ranks - begins[r];
  }
  double *x = numbers(kLength), *mine = numbers(counts[me]);
  for (int step = 0; step < 4; ++step) {
    double in[2] = {1, 1}, sum[2];
    MPI_Allgatherv(mine, counts[me], MPI_DOUBLE, x, counts, begins, MPI_DOUBLE,
                   MPI_COMM_WORLD);
    MPI_Allreduce(in, sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  free(counts);
  free(begins);
  free(x);
  free(mine);
}

int main(int argc, char **argv) {
  const struct {
    const char *name;
    void (*run)(void);
  } kinds[] = {{"product", product},     {"heat", heat},
               {"file", file},           {"blocks", blocks},
               {"transpose", transpose}, {"gradients", gradients}};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (size_t k = 0; argc > 1 && k < sizeof kinds / sizeof *kinds; ++k) {
    if (strcmp(kinds[k].name, argv[1]) == 0) kinds[k].run();
  }
  MPI_Finalize();
  return 0;
}
