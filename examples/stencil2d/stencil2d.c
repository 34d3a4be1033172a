// Jacobi iteration with the five-point stencil on a 2-D grid of cells, split
// into blocks over a row-major process grid. Every step exchanges one layer
// of cells with the neighbours and finds the largest change of any cell.
//
// The printed numbers depend on the grid of cells alone, not on how many
// ranks share it: sums are of integers, the residual is a maximum.
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/options.h"

enum { kUp, kDown, kLeft, kRight, kSides };  // kUp ^ 1 == kDown, and so on

struct Block {
  int rows, columns;         // without the halo
  int first_row, first_col;  // of the whole grid
  int total_rows, total_cols;
  int neighbour[kSides];  // -1: none there
  double* cells;          // (rows + 2) x (columns + 2)
  double* next;
  double* out[kSides];
  double* in[kSides];
};

static void* Allocate(size_t count) {
  void* memory = calloc(count, sizeof(double));
  if (memory == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  return memory;
}

static size_t At(const struct Block* b, int row, int column) {
  return (size_t)row * (b->columns + 2) + column;
}

// Rank at (row, column) of the process grid, or -1 beyond an open edge.
static int RankAt(const struct StencilOptions* o, int row, int column) {
  const int* dims = o->dims;
  if (o->periodic) {
    row = (row + dims[0]) % dims[0];
    column = (column + dims[1]) % dims[1];
  }
  if (row < 0 || row >= dims[0] || column < 0 || column >= dims[1]) return -1;
  return row * dims[1] + column;
}

static void PlaceBlock(struct Block* b, const struct StencilOptions* o,
                       int rank) {
  int row = rank / o->dims[1];
  int column = rank % o->dims[1];
  b->total_rows = o->strong ? o->cells[0] : o->cells[0] * o->dims[0];
  b->total_cols = o->strong ? o->cells[1] : o->cells[1] * o->dims[1];
  b->rows = BlockSize(b->total_rows, o->dims[0], row, &b->first_row);
  b->columns = BlockSize(b->total_cols, o->dims[1], column, &b->first_col);
  b->neighbour[kUp] = RankAt(o, row - 1, column);
  b->neighbour[kDown] = RankAt(o, row + 1, column);
  b->neighbour[kLeft] = RankAt(o, row, column - 1);
  b->neighbour[kRight] = RankAt(o, row, column + 1);
}

static int SideLength(const struct Block* b, int side) {
  return side == kUp || side == kDown ? b->columns : b->rows;
}

static void FillBlock(struct Block* b) {
  size_t size = (size_t)(b->rows + 2) * (b->columns + 2);
  b->cells = Allocate(size);
  b->next = Allocate(size);
  for (int side = 0; side < kSides; ++side) {
    b->out[side] = Allocate(SideLength(b, side));
    b->in[side] = Allocate(SideLength(b, side));
  }
  for (int i = 1; i <= b->rows; ++i) {
    for (int j = 1; j <= b->columns; ++j) {
      int64_t row = b->first_row + i;
      int64_t column = b->first_col + j;
      b->cells[At(b, i, j)] = (double)((row * 7919 + column * 104729) % 1000);
    }
  }
}

static void FreeBlock(struct Block* b) {
  free(b->cells);
  free(b->next);
  for (int side = 0; side < kSides; ++side) {
    free(b->out[side]);
    free(b->in[side]);
  }
}

// Index of the k-th cell of a side: its outermost own layer, or the halo
// beside that.
static size_t EdgeCell(const struct Block* b, int side, int k, int halo) {
  switch (side) {
    case kUp:
      return At(b, halo ? 0 : 1, k + 1);
    case kDown:
      return At(b, halo ? b->rows + 1 : b->rows, k + 1);
    case kLeft:
      return At(b, k + 1, halo ? 0 : 1);
    default:
      return At(b, k + 1, halo ? b->columns + 1 : b->columns);
  }
}

// The tag is the side a message leaves from, so that the two messages
// between the same two ranks of a periodic grid of width 1 or 2 stay apart.
static void ExchangeHalo(struct Block* b) {
  MPI_Request requests[2 * kSides];
  int count = 0;
  for (int side = 0; side < kSides; ++side) {
    if (b->neighbour[side] < 0) continue;
    MPI_Irecv(b->in[side], SideLength(b, side), MPI_DOUBLE, b->neighbour[side],
              side ^ 1, MPI_COMM_WORLD, &requests[count++]);
  }
  for (int side = 0; side < kSides; ++side) {
    if (b->neighbour[side] < 0) continue;
    for (int k = 0; k < SideLength(b, side); ++k) {
      b->out[side][k] = b->cells[EdgeCell(b, side, k, 0)];
    }
    MPI_Isend(b->out[side], SideLength(b, side), MPI_DOUBLE, b->neighbour[side],
              side, MPI_COMM_WORLD, &requests[count++]);
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int side = 0; side < kSides; ++side) {
    if (b->neighbour[side] < 0) continue;
    for (int k = 0; k < SideLength(b, side); ++k) {
      b->cells[EdgeCell(b, side, k, 1)] = b->in[side][k];
    }
  }
}

// One Jacobi step; the largest change of a cell of this block.
static double Relax(struct Block* b) {
  double change = 0;
  for (int i = 1; i <= b->rows; ++i) {
    for (int j = 1; j <= b->columns; ++j) {
      const double* cell = &b->cells[At(b, i, j)];
      double sum = cell[-(b->columns + 2)] + cell[b->columns + 2];
      double value = 0.2 * (sum + cell[-1] + cell[1] + cell[0]);
      change = fmax(change, fabs(value - cell[0]));
      b->next[At(b, i, j)] = value;
    }
  }
  double* swap = b->cells;
  b->cells = b->next;
  b->next = swap;
  return change;
}

static int64_t Checksum(const struct Block* b) {
  int64_t sum = 0;
  for (int i = 1; i <= b->rows; ++i) {
    for (int j = 1; j <= b->columns; ++j) {
      int64_t position =
          (int64_t)(b->first_row + i) * b->total_cols + b->first_col + j;
      sum += llround(b->cells[At(b, i, j)] * 1e6) * (position % 97 + 1);
    }
  }
  return sum;
}

static void Run(const struct StencilOptions* o, int rank, int ranks) {
  struct Block block;
  double residual = 0;
  PlaceBlock(&block, o, rank);
  FillBlock(&block);
  for (int step = 0; step < o->steps; ++step) {
    double change = 1.0 / (step + 1);
    ExchangeHalo(&block);
    if (o->work_ns < 0) {
      change = Relax(&block);
    } else {
      SleepNs(o->work_ns);
    }
    MPI_Allreduce(&change, &residual, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  int64_t sum = Checksum(&block);
  int64_t total = 0;
  MPI_Reduce(&sum, &total, 1, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("stencil2d: %d ranks as %d x %d, %s\n", ranks, o->dims[0],
           o->dims[1], o->periodic ? "periodic" : "open");
    printf("cells %d x %d, steps %d\n", block.total_rows, block.total_cols,
           o->steps);
    printf("residual %.17g checksum %lld\n", residual, (long long)total);
  }
  FreeBlock(&block);
}

int main(int argc, char** argv) {
  static const int kDefaultCells[2] = {512, 512};
  struct StencilOptions options;
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int status = ReadOptions(argc, argv, 2, kDefaultCells, &options);
  if (status == 0) Run(&options, rank, ranks);
  MPI_Finalize();
  return status == 1 ? 0 : status;
}
