// limited BYTES: no file may have more than that from MPI_Init on; messages of
// lengths that follow no rule make a long trace. limited BYTES itself: writes
// more, which ends it.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

int main(int argc, char** argv) {
  static char out[1 << 14], in[1 << 14];
  unsigned state = 1;
  int rank;
  MPI_Init(&argc, &argv);
  if (argc < 2) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  struct rlimit files;
  getrlimit(RLIMIT_FSIZE, &files);
  files.rlim_cur = (rlim_t)atol(argv[1]);
  setrlimit(RLIMIT_FSIZE, &files);
  for (int i = 0; i < 3000; ++i) {
    state = state * 1664525 + 1013904223;
    const int bytes = (int)(state >> 18);
    MPI_Sendrecv(out, bytes, MPI_BYTE, rank, 0, in, bytes, MPI_BYTE, rank, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    // Epochs are of all ranks: none runs ahead to the end.
    if (i % 50 == 0) MPI_Barrier(MPI_COMM_WORLD);
  }
  if (argc > 2) {
    FILE* file = fopen("own", "w");
    fwrite(out, 1, sizeof out, file);
    fclose(file);
  }
  if (rank == 0) puts("done");
  MPI_Finalize();
  return 0;
}
