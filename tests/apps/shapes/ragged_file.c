// Ragged file: every rank writes a part of its own length to one file, behind
// those of the ranks before it.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int points_of(int rank) {
  unsigned state = 977u * (unsigned)(rank + 3);
  state = state * 1664525u + 1013904223u;
  return 100 + (int)((state >> 10) % 400u);
}

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_File file;
  MPI_Offset before = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int r = 0; r < rank; ++r) before += points_of(r);
  double* part = calloc((size_t)points_of(rank), sizeof *part);
  MPI_File_open(MPI_COMM_WORLD, "ragged.out", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  MPI_File_seek(file, before * 8, MPI_SEEK_SET);
  MPI_File_write(file, part, points_of(rank), MPI_DOUBLE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  if (rank == 0) printf("ragged_file: %d ranks\n", ranks);
  free(part);
  MPI_Finalize();
  return 0;
}
