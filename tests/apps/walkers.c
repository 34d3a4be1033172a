/* Walkers on a ring of ranks hop to neighbours until all have come to rest: who
 * gets how many follows no law, nor how often all ask whether any is left. */
#include <mpi.h>
#include <stdlib.h>

enum { kBatches = 3, kWalkers = 40, kMost = 20000 };

static unsigned next_number(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, around = 1, beside[2];
  MPI_Comm ring;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &around, 0, &ring);
  MPI_Comm_rank(ring, &rank);
  MPI_Cart_shift(ring, 0, 1, &beside[0], &beside[1]);
  /* Of each walker, the state that its hops follow from. */
  unsigned *own = malloc(kMost * sizeof *own), *in = malloc(kMost * sizeof *in);
  unsigned *out[2] = {malloc(kMost * sizeof **out),
                      malloc(kMost * sizeof **out)};
  for (int batch = 0; batch < kBatches; ++batch) {
    int walkers = kWalkers, left = 1;
    for (int i = 0; i < walkers; ++i) {
      own[i] = 7919u * (unsigned)(rank + ranks * batch) + 31u * (unsigned)i;
    }
    while (left > 0) {
      int leave[2] = {0, 0}, come[2] = {0, 0}, begun = 0, first = 0;
      for (int i = 0; i < walkers; ++i) {
        const unsigned number = next_number(&own[i]);
        if (number % 3 == 0) continue; /* it rests */
        const int side = number / 3 % 2;
        out[side][leave[side]++] = own[i];
      }
      MPI_Request requests[4];
      for (int s = 0; s < 2; ++s) {
        MPI_Irecv(&come[s], 1, MPI_INT, beside[s], 1 - s, ring,
                  &requests[begun++]);
      }
      for (int s = 0; s < 2; ++s) {
        MPI_Isend(&leave[s], 1, MPI_INT, beside[s], s, ring,
                  &requests[begun++]);
      }
      MPI_Waitall(begun, requests, MPI_STATUSES_IGNORE);
      begun = 0;
      for (int s = 0; s < 2; ++s) {
        if (come[s] == 0) continue;
        MPI_Irecv(in + first, come[s], MPI_UNSIGNED, beside[s], 11 - s, ring,
                  &requests[begun++]);
        first += come[s];
      }
      for (int s = 0; s < 2; ++s) {
        if (leave[s] == 0) continue;
        MPI_Isend(out[s], leave[s], MPI_UNSIGNED, beside[s], 10 + s, ring,
                  &requests[begun++]);
      }
      MPI_Waitall(begun, requests, MPI_STATUSES_IGNORE);
      walkers = first;
      for (int i = 0; i < walkers; ++i) own[i] = in[i];
      MPI_Allreduce(&walkers, &left, 1, MPI_INT, MPI_SUM, ring);
    }
  }
  MPI_Comm_free(&ring);
  MPI_Finalize();
  free(own);
  free(in);
  free(out[0]);
  free(out[1]);
  return 0;
}
