/* Two models of a coupled code, each on ranks of its own, share out points that
 * all small runs divide. Each passes its share to the next rank, and the first
 * of each gathers all. */
#include <mpi.h>
#include <stdlib.h>

enum { kSteps = 5, kMost = 180 };

static int first_of(int points, int parts, int part) {
  return points * part / parts;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, part, parts;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int second = ranks / 3 > 1 ? ranks / 3 : 1;
  int is_second = rank >= ranks - second, points = is_second ? 180 : 120;
  MPI_Comm mine;
  MPI_Comm_split(MPI_COMM_WORLD, is_second, rank, &mine);
  MPI_Comm_rank(mine, &part);
  MPI_Comm_size(mine, &parts);
  int *counts = malloc((size_t)parts * sizeof(int));
  int *firsts = malloc((size_t)parts * sizeof(int));
  for (int p = 0; p < parts; ++p) {
    firsts[p] = first_of(points, parts, p);
    counts[p] = first_of(points, parts, p + 1) - firsts[p];
  }
  double *own = calloc(kMost, sizeof *own), *all = calloc(kMost, sizeof *all);
  int next = part + 1 < parts ? part + 1 : MPI_PROC_NULL;
  int before = part > 0 ? part - 1 : MPI_PROC_NULL;
  for (int step = 0; step < kSteps; ++step) {
    MPI_Sendrecv(own, counts[part], MPI_DOUBLE, next, step, all, kMost,
                 MPI_DOUBLE, before, step, mine, MPI_STATUS_IGNORE);
    MPI_Gatherv(own, counts[part], MPI_DOUBLE, all, counts, firsts, MPI_DOUBLE,
                0, mine);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_free(&mine);
  MPI_Finalize();
  free(counts);
  free(firsts);
  free(own);
  free(all);
  return 0;
}
