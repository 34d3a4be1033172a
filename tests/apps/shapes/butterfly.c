// A butterfly: recursive doubling, the message twice as long at each stage,
// and recursive halving back. Needs a power of two.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int ranks, rank;
  static int out[4096], in[4096];
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int round = 0; round < 4; ++round) {
    for (int span = 1; span < ranks; span *= 2) {
      MPI_Sendrecv(out, 2 * span, MPI_INT, rank ^ span, span, in, 2 * span,
                   MPI_INT, rank ^ span, span, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
    }
    for (int span = ranks / 2; span > 0; span /= 2) {
      MPI_Request request;
      MPI_Irecv(in, span, MPI_INT, rank ^ span, 9, MPI_COMM_WORLD, &request);
      MPI_Send(out, span, MPI_INT, rank ^ span, 9, MPI_COMM_WORLD);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
  }
  if (rank == 0) printf("butterfly: %d ranks\n", ranks);
  MPI_Finalize();
  return 0;
}
