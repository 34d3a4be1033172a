// Messages that are longer than what they are received into: a call that waits
// for several requests then fails, is done with some and leaves others, which
// are waited for one by one. Rank 0 prints how often on all ranks.
#include <mpi.h>
#include <stdio.h>

enum { kRequests = 3 };

static int rank, ranks;
static long failed, left_open, sum;

static int Long(int round, int of, int at) { return round % of == at ? 2 : 1; }

static void WaitForAll(int round, MPI_Request* requests) {
  MPI_Status statuses[kRequests];
  // The same call, wanting statuses or not.
  failed += MPI_Waitall(kRequests, requests,
                        round % 2 ? statuses : MPI_STATUSES_IGNORE) != 0;
  for (int i = 0; i < kRequests; ++i) {
    if (requests[i] == MPI_REQUEST_NULL) continue;
    ++left_open;
    failed += MPI_Wait(&requests[i], MPI_STATUS_IGNORE) != 0;
  }
}

// Of the messages of a round the first is too long, the second, or none.
static void Rounds(int from) {
  const int right = (rank + 1) % ranks;
  for (int round = 0; round < 40; ++round) {
    MPI_Request requests[kRequests];
    int in[2] = {0}, out[2] = {rank, round};
    for (int i = 0; i < 2; ++i) {
      MPI_Irecv(&in[i], 1, MPI_INT, from, i, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Isend(out, Long(round, 7, 6), MPI_INT, right, 0, MPI_COMM_WORLD,
              &requests[2]);
    MPI_Send(out, Long(round, 9, 8), MPI_INT, right, 1, MPI_COMM_WORLD);
    WaitForAll(round, requests);
    sum += in[0] + in[1];
  }
}

static void OneByOne(void) {
  const int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
  for (int round = 0; round < 20; ++round) {
    MPI_Request request;
    int in[2] = {0}, out[2] = {rank, round}, there = 0;
    MPI_Irecv(in, 1, MPI_INT, left, 2, MPI_COMM_WORLD, &request);
    MPI_Send(out, Long(round, 8, 7), MPI_INT, right, 2, MPI_COMM_WORLD);
    failed += MPI_Wait(&request, MPI_STATUS_IGNORE) != 0;
    MPI_Irecv(in, 1, MPI_INT, left, 3, MPI_COMM_WORLD, &request);
    MPI_Send(out, Long(round, 6, 5), MPI_INT, right, 3, MPI_COMM_WORLD);
    while (!there && request != MPI_REQUEST_NULL) {
      failed += MPI_Test(&request, &there, MPI_STATUS_IGNORE) != 0;
    }
    sum += in[0];
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  Rounds((rank + ranks - 1) % ranks);
  Rounds(MPI_ANY_SOURCE);
  OneByOne();
  long mine[3] = {failed, left_open, sum}, all[3];
  MPI_Reduce(mine, all, 3, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("%ld waits failed and left %ld requests, sum %ld\n", all[0], all[1],
           all[2]);
  }
  MPI_Finalize();
  return 0;
}
