/* Heat on a rod: every rank owns a part, trades its ends with its neighbours,
 * and all agree on how much still changes. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CELLS 100000 /* of the whole rod */
#define STEPS 50

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  const int right = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  const int own = CELLS / ranks + (rank < CELLS % ranks);
  double* now = calloc(own + 2, sizeof(double));
  double* next = calloc(own + 2, sizeof(double));
  if (rank == 0) now[0] = next[0] = 1; /* the hot end */

  double change = 0;
  for (int step = 0; step < STEPS; ++step) {
    MPI_Sendrecv(&now[1], 1, MPI_DOUBLE, left, 0, &now[own + 1], 1, MPI_DOUBLE,
                 right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&now[own], 1, MPI_DOUBLE, right, 1, &now[0], 1, MPI_DOUBLE,
                 left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0) now[0] = 1;
    double most = 0;
    for (int i = 1; i <= own; ++i) {
      next[i] = now[i] + 0.25 * (now[i - 1] - 2 * now[i] + now[i + 1]);
      const double d = next[i] > now[i] ? next[i] - now[i] : now[i] - next[i];
      if (d > most) most = d;
    }
    double* swap = now;
    now = next;
    next = swap;
    if (step % 10 == 9)
      MPI_Allreduce(&most, &change, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }

  /* Everything to rank 0, which writes it. */
  int* counts = malloc(ranks * sizeof(int));
  int* places = malloc(ranks * sizeof(int));
  for (int r = 0, at = 0; r < ranks; ++r) {
    places[r] = at;
    counts[r] = CELLS / ranks + (r < CELLS % ranks);
    at += counts[r];
  }
  double* all = rank == 0 ? malloc(CELLS * sizeof(double)) : NULL;
  MPI_Gatherv(&now[1], own, MPI_DOUBLE, all, counts, places, MPI_DOUBLE, 0,
              MPI_COMM_WORLD);
  if (rank == 0) printf("change %g, first cell %g\n", change, all[0]);
  MPI_Finalize();
  return 0;
}
