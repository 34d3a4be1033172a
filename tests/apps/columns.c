// A matrix in rows, transposed by sends of rows that are received as columns:
// their type is as long as the matrix, and the next column begins an element
// farther. Alltoallv, and Alltoallw without waiting.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kRounds = 3, kMostRanks = 64 };

static MPI_Datatype ColumnOf(int rows, int columns) {
  MPI_Datatype plain, column;
  MPI_Type_vector(rows, 1, columns, MPI_DOUBLE, &plain);
  MPI_Type_create_resized(plain, 0, sizeof(double), &column);
  MPI_Type_free(&plain);
  MPI_Type_commit(&column);
  return column;
}

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > kMostRanks) MPI_Abort(MPI_COMM_WORLD, 2);
  // Each rank has a row of so many elements for each, and gets as many rows.
  const int length = 2048;
  double* rows = malloc(sizeof(double) * length * ranks);
  double* columns = calloc((size_t)length * ranks, sizeof(double));
  for (int i = 0; i < length * ranks; ++i) rows[i] = rank * 1e6 + i;
  MPI_Datatype column = ColumnOf(length, ranks), types[2][kMostRanks];
  int sent[kMostRanks], from[kMostRanks], got[kMostRanks], to[kMostRanks];
  int from_byte[kMostRanks], to_byte[kMostRanks];
  for (int i = 0; i < ranks; ++i) {
    sent[i] = length, from[i] = i * length, got[i] = 1, to[i] = i;
    from_byte[i] = from[i] * (int)sizeof(double);
    to_byte[i] = to[i] * (int)sizeof(double);
    types[0][i] = MPI_DOUBLE, types[1][i] = column;
  }
  double sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    MPI_Alltoallv(rows, sent, from, MPI_DOUBLE, columns, got, to, column,
                  MPI_COMM_WORLD);
    sum += columns[ranks * (length - 1) + rank] - columns[0];
    MPI_Request request;
    MPI_Ialltoallw(rows, sent, from_byte, types[0], columns, got, to_byte,
                   types[1], MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    sum += columns[ranks - 1];
  }
  printf("rank %d: %.0f\n", rank, sum);
  MPI_Type_free(&column);
  free(rows);
  free(columns);
  MPI_Finalize();
  return 0;
}
