// Jacobi iteration with the seven-point stencil on a 3-D grid of cells, split
// into blocks over a row-major process grid. Every step exchanges the faces
// with up to six neighbours and finds the largest change of any cell.
//
// The printed numbers depend on the grid of cells alone, not on how many
// ranks share it: sums are of integers, the residual is a maximum.
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/options.h"

// Face 2 d is the lower one of dimension d, face 2 d + 1 the upper one.
enum { kDims = 3, kFaces = 6 };

struct Block {
  int size[kDims];   // cells, without the halo
  int first[kDims];  // of the whole grid
  int total[kDims];
  int neighbour[kFaces];  // -1: none there
  double* cells;          // (size + 2) in each dimension
  double* next;
  double* out[kFaces];
  double* in[kFaces];
};

static void* Allocate(size_t count) {
  void* memory = calloc(count, sizeof(double));
  if (memory == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  return memory;
}

static size_t At(const struct Block* b, int i, int j, int k) {
  return ((size_t)i * (b->size[1] + 2) + j) * (b->size[2] + 2) + k;
}

static void CoordinatesOf(const int* dims, int rank, int* at) {
  at[2] = rank % dims[2];
  at[1] = rank / dims[2] % dims[1];
  at[0] = rank / dims[2] / dims[1];
}

// Rank `step` further along dimension d, or -1 beyond an open edge.
static int NeighbourOf(const struct StencilOptions* o, const int* at, int d,
                       int step) {
  int to[kDims] = {at[0], at[1], at[2]};
  to[d] += step;
  if (o->periodic) to[d] = (to[d] + o->dims[d]) % o->dims[d];
  if (to[d] < 0 || to[d] >= o->dims[d]) return -1;
  return (to[0] * o->dims[1] + to[1]) * o->dims[2] + to[2];
}

static void PlaceBlock(struct Block* b, const struct StencilOptions* o,
                       int rank) {
  int at[kDims];
  CoordinatesOf(o->dims, rank, at);
  for (int d = 0; d < kDims; ++d) {
    b->total[d] = o->strong ? o->cells[d] : o->cells[d] * o->dims[d];
    b->size[d] = BlockSize(b->total[d], o->dims[d], at[d], &b->first[d]);
    b->neighbour[2 * d] = NeighbourOf(o, at, d, -1);
    b->neighbour[2 * d + 1] = NeighbourOf(o, at, d, 1);
  }
}

// The two dimensions that span a face.
static int FaceRows(int face) { return face / 2 == 0 ? 1 : 0; }
static int FaceColumns(int face) { return face / 2 == 2 ? 1 : 2; }

static int FaceCells(const struct Block* b, int face) {
  return b->size[FaceRows(face)] * b->size[FaceColumns(face)];
}

static void FillBlock(struct Block* b) {
  size_t size = At(b, b->size[0] + 2, 0, 0);
  b->cells = Allocate(size);
  b->next = Allocate(size);
  for (int face = 0; face < kFaces; ++face) {
    b->out[face] = Allocate(FaceCells(b, face));
    b->in[face] = Allocate(FaceCells(b, face));
  }
  for (int i = 1; i <= b->size[0]; ++i) {
    for (int j = 1; j <= b->size[1]; ++j) {
      for (int k = 1; k <= b->size[2]; ++k) {
        int64_t mix = (int64_t)(b->first[0] + i) * 7919 +
                      (int64_t)(b->first[1] + j) * 104729 +
                      (int64_t)(b->first[2] + k) * 1299709;
        b->cells[At(b, i, j, k)] = (double)(mix % 1000);
      }
    }
  }
}

static void FreeBlock(struct Block* b) {
  free(b->cells);
  free(b->next);
  for (int face = 0; face < kFaces; ++face) {
    free(b->out[face]);
    free(b->in[face]);
  }
}

// Copies one layer of cells beside a face: the own outermost one out to
// `buffer`, or `buffer` into the halo.
static void CopyFace(struct Block* b, int face, double* buffer, int to_halo) {
  int d = face / 2;
  int rows = FaceRows(face), columns = FaceColumns(face);
  int at[kDims];
  int last = b->size[d] + (to_halo ? 1 : 0);
  at[d] = face % 2 == 0 ? (to_halo ? 0 : 1) : last;
  for (int r = 1; r <= b->size[rows]; ++r) {
    for (int c = 1; c <= b->size[columns]; ++c) {
      at[rows] = r;
      at[columns] = c;
      double* cell = &b->cells[At(b, at[0], at[1], at[2])];
      if (to_halo) {
        *cell = *buffer++;
      } else {
        *buffer++ = *cell;
      }
    }
  }
}

// The tag is the face a message leaves from, so that the two messages
// between the same two ranks of a periodic grid of width 1 or 2 stay apart.
static void ExchangeHalo(struct Block* b) {
  MPI_Request requests[2 * kFaces];
  int count = 0;
  for (int face = 0; face < kFaces; ++face) {
    if (b->neighbour[face] < 0) continue;
    MPI_Irecv(b->in[face], FaceCells(b, face), MPI_DOUBLE, b->neighbour[face],
              face ^ 1, MPI_COMM_WORLD, &requests[count++]);
  }
  for (int face = 0; face < kFaces; ++face) {
    if (b->neighbour[face] < 0) continue;
    CopyFace(b, face, b->out[face], 0);
    MPI_Isend(b->out[face], FaceCells(b, face), MPI_DOUBLE, b->neighbour[face],
              face, MPI_COMM_WORLD, &requests[count++]);
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int face = 0; face < kFaces; ++face) {
    if (b->neighbour[face] >= 0) CopyFace(b, face, b->in[face], 1);
  }
}

// One Jacobi step; the largest change of a cell of this block.
static double Relax(struct Block* b) {
  size_t row = b->size[2] + 2, plane = row * (b->size[1] + 2);
  double change = 0;
  for (int i = 1; i <= b->size[0]; ++i) {
    for (int j = 1; j <= b->size[1]; ++j) {
      for (int k = 1; k <= b->size[2]; ++k) {
        const double* cell = &b->cells[At(b, i, j, k)];
        double sum = *(cell - plane) + cell[plane];
        sum += *(cell - row) + cell[row];
        sum += cell[-1] + cell[1];
        double value = (sum + cell[0]) / 7;
        change = fmax(change, fabs(value - cell[0]));
        b->next[At(b, i, j, k)] = value;
      }
    }
  }
  double* swap = b->cells;
  b->cells = b->next;
  b->next = swap;
  return change;
}

static int64_t Checksum(const struct Block* b) {
  int64_t sum = 0;
  for (int i = 1; i <= b->size[0]; ++i) {
    for (int j = 1; j <= b->size[1]; ++j) {
      for (int k = 1; k <= b->size[2]; ++k) {
        int64_t line =
            (int64_t)(b->first[0] + i) * b->total[1] + b->first[1] + j;
        int64_t position = line * b->total[2] + b->first[2] + k;
        double value = b->cells[At(b, i, j, k)];
        sum += llround(value * 1e6) * (position % 97 + 1);
      }
    }
  }
  return sum;
}

static void Report(const struct StencilOptions* o, const struct Block* b,
                   double residual, int rank, int ranks) {
  int64_t sum = Checksum(b), total = 0;
  int64_t* sums = rank == 0 ? Allocate(ranks) : NULL;
  MPI_Gather(&sum, 1, MPI_INT64_T, sums, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  if (rank != 0) return;
  for (int r = 0; r < ranks; ++r) total += sums[r];
  free(sums);
  printf("stencil3d: %d ranks as %d x %d x %d, %s\n", ranks, o->dims[0],
         o->dims[1], o->dims[2], o->periodic ? "periodic" : "open");
  printf("cells %d x %d x %d, steps %d\n", b->total[0], b->total[1],
         b->total[2], o->steps);
  printf("residual %.17g checksum %lld\n", residual, (long long)total);
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
  Report(o, &block, residual, rank, ranks);
  FreeBlock(&block);
}

int main(int argc, char** argv) {
  static const int kDefaultCells[3] = {16, 16, 16};
  struct StencilOptions options;
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int status = ReadOptions(argc, argv, kDims, kDefaultCells, &options);
  if (status == 0) Run(&options, rank, ranks);
  MPI_Finalize();
  return status == 1 ? 0 : status;
}
