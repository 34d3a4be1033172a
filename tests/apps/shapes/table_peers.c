/* Each rank exchanges with about three others, drawn from a seed and the same
   in every step, some doubles each; then a sum over all. */
#include <mpi.h>
#include <stdlib.h>

static unsigned mix(unsigned a, unsigned b) {
  unsigned h = a * 2654435761u ^ b * 2246822519u;
  h ^= h >> 15;
  h *= 3266489917u;
  return h ^ h >> 13;
}

/* Doubles between two ranks; 0: none. */
static int amount(int a, int b, int ranks) {
  unsigned low = (unsigned)(a < b ? a : b), high = (unsigned)(a + b) - low;
  unsigned chance = mix(low, high);
  if (a == b || (int)(chance % 1000) * (ranks - 1) >= 3000) return 0;
  return 100 + (int)(chance >> 16) % 100;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double* in = calloc(200 * (size_t)ranks, sizeof *in);
  double* out = calloc(200, sizeof *out);
  MPI_Request* r = malloc(2 * (size_t)ranks * sizeof *r);
  for (int step = 0; step < 5; ++step) {
    int n = 0;
    for (int p = 0; p < ranks; ++p) {
      int count = amount(rank, p, ranks);
      if (count == 0) continue;
      MPI_Irecv(in + 200 * p, count, MPI_DOUBLE, p, 0, MPI_COMM_WORLD, &r[n++]);
    }
    for (int p = 0; p < ranks; ++p) {
      int count = amount(rank, p, ranks);
      if (count == 0) continue;
      MPI_Isend(out, count, MPI_DOUBLE, p, 0, MPI_COMM_WORLD, &r[n++]);
    }
    MPI_Waitall(n, r, MPI_STATUSES_IGNORE);
    double mine = rank, sum;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  free(r);
  free(out);
  free(in);
  MPI_Finalize();
  return 0;
}
