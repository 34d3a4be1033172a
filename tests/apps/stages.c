// Logarithmic stages: dissemination, exchange along hypercube dimensions as
// far as they exist, and a binomial tree, all with point-to-point calls.
#include <mpi.h>
#include <stdio.h>

static int rank, ranks;

static long Dissemination(long value) {
  for (int step = 1; step < ranks; step *= 2) {
    long got = 0;
    MPI_Request requests[2];
    MPI_Irecv(&got, 1, MPI_LONG, (rank + ranks - step) % ranks, step,
              MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&value, 1, MPI_LONG, (rank + step) % ranks, step, MPI_COMM_WORLD,
              &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    value = (value + got) % 1000003;
  }
  return value;
}

static long Hypercube(long value) {
  for (int bit = 0; 1 << bit < ranks; ++bit) {
    long out[64] = {value}, in[64] = {0};
    int partner = rank ^ 1 << bit;
    int words = 1 << bit;
    if (partner >= ranks) continue;
    MPI_Sendrecv(out, words, MPI_LONG, partner, bit, in, words, MPI_LONG,
                 partner, bit, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    value = (value + in[0]) % 1000003;
  }
  return value;
}

static long BinomialTree(long value) {
  int span = 1;
  while (span < ranks && (rank & span) == 0) {
    long got = 0;
    if (rank + span < ranks) {
      MPI_Recv(&got, 1, MPI_LONG, rank + span, 7, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    }
    value += got;
    span *= 2;
  }
  if (rank != 0) MPI_Send(&value, 1, MPI_LONG, rank - span, 7, MPI_COMM_WORLD);
  return value % 1000003;
}

int main(int argc, char** argv) {
  long value;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  value = rank;
  for (int round = 0; round < 6; ++round) {
    value = Dissemination(value);
    value = Hypercube(value);
    if (round % 2 == 0) value = BinomialTree(value);
  }
  MPI_Bcast(&value, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("stages: %d ranks, value %ld\n", ranks, value);
  MPI_Finalize();
  return 0;
}
