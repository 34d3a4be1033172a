// Neighbours drawn from a seed: no law gives them, so none must be found.
#include <mpi.h>
#include <stdio.h>

static unsigned Draw(unsigned* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

int main(int argc, char** argv) {
  int ranks, rank, order[256];
  unsigned state = 12345;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < ranks; ++i) order[i] = i;
  for (int step = 0; step < 6; ++step) {
    int out = rank, in;
    for (int i = ranks - 1; i > 0; --i) {
      int j = (int)(Draw(&state) % (unsigned)(i + 1)), kept = order[i];
      order[i] = order[j];
      order[j] = kept;
    }
    int place = 0;
    while (order[place] != rank) ++place;
    MPI_Sendrecv(&out, 1, MPI_INT, order[(place + 1) % ranks], 0, &in, 1,
                 MPI_INT, order[(place + ranks - 1) % ranks], 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
  if (rank == 0) printf("random_peers: %d ranks\n", ranks);
  MPI_Finalize();
  return 0;
}
