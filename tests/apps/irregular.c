// Message sizes and partners that no law explains: irregular [ROUNDS].
// Sizes alone: irregular ROUNDS amounts.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 1000 };

static uint64_t Next(uint64_t* state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 33;
}

int main(int argc, char** argv) {
  static int out[kMost], in[kMost];
  int rank, ranks;
  long sum = 0, total = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int rounds = argc > 1 ? atoi(argv[1]) : 400;
  const int amounts_only = argc > 2;
  uint64_t own = 17 + rank;  // differs from rank to rank
  uint64_t shared = 99;      // the same everywhere
  for (int i = 0; i < kMost; ++i) out[i] = rank + i;
  for (int round = 0; round < rounds; ++round) {
    int words = 1 + (int)(Next(&own) % kMost);
    int distance = amounts_only ? 1 : (int)(Next(&shared) % ranks);
    MPI_Sendrecv(out, words, MPI_INT, (rank + distance) % ranks, round, in,
                 kMost, MPI_INT, (rank + ranks - distance) % ranks, round,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum += in[words % 5];
    if (!amounts_only && Next(&shared) % 11 == 0) MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("irregular: %d ranks, sum %ld\n", ranks, total);
  MPI_Finalize();
  return 0;
}
