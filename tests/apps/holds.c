// Holds memory by a closed formula: share / N + each + a_rank * N bytes on each
// of N ranks, and twice that for a moment in the middle. It is touched, so that
// it is resident.
//   holds SHARE EACH A_RANK   (MiB, MiB, KiB)
// Rank 0 says what Linux counted as its most, in KiB.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char* Touched(size_t bytes) {
  char* block = malloc(bytes);
  if (block == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  memset(block, 1, bytes);
  return block;
}

// Between calls of MPI, so that samples see what there is.
static void Steps(int steps) {
  for (int i = 0; i < steps; ++i) {
    const struct timespec pause = {0, 5 * 1000 * 1000};
    nanosleep(&pause, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

static long PeakKib(void) {
  long peak = 0;
  char line[256];
  FILE* status = fopen("/proc/self/status", "r");
  while (status != NULL && fgets(line, sizeof line, status) != NULL) {
    sscanf(line, "VmHWM: %ld", &peak);
  }
  if (status != NULL) fclose(status);
  return peak;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks = 1, rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const double mib = 1 << 20, kib = 1 << 10;
  const double share = argc > 1 ? atof(argv[1]) : 64;
  const double each = argc > 2 ? atof(argv[2]) : 8;
  const double a_rank = argc > 3 ? atof(argv[3]) : 256;
  const size_t bytes =
      (size_t)(share * mib / ranks + each * mib + a_rank * kib * ranks);
  char* kept = Touched(bytes);
  Steps(8);
  char* moment = Touched(bytes);
  MPI_Barrier(MPI_COMM_WORLD);
  free(moment);
  Steps(8);
  if (kept[bytes / 2] != 1) printf("lost\n");
  free(kept);
  if (rank == 0) printf("peak %ld KiB\n", PeakKib());
  MPI_Finalize();
  return 0;
}
