#include <mpi.h>

#include "parts.h"

enum { kMessages = 5 };

static int NextOf(int rank, int ranks) { return (rank + 1) % ranks; }
static int PrevOf(int rank, int ranks) { return (rank + ranks - 1) % ranks; }

static void Post(int rank, int ranks, int tag, int* in, MPI_Request* requests) {
  for (int i = 0; i < kMessages; ++i) {
    MPI_Irecv(&in[i], 1, MPI_INT, PrevOf(rank, ranks), tag + i, MPI_COMM_WORLD,
              &requests[i]);
  }
}

// Sends the i-th of the messages that Post expects, in an order that is not
// that of posting.
static void SendOne(int rank, int ranks, int tag, int i) {
  int which = i * 3 % kMessages;
  int value = rank * 10 + which;
  MPI_Send(&value, 1, MPI_INT, NextOf(rank, ranks), tag + which,
           MPI_COMM_WORLD);
}

static void SendAll(int rank, int ranks, int tag) {
  for (int i = 0; i < kMessages; ++i) SendOne(rank, ranks, tag, i);
}

static long SumOf(const int* in) {
  long sum = 0;
  for (int i = 0; i < kMessages; ++i) sum += in[i] * (i + 1);
  return sum;
}

long Waits(int rank, int ranks) {
  int in[kMessages], index, done, indices[kMessages];
  MPI_Request requests[kMessages];
  MPI_Status statuses[kMessages];
  long sum = 0;

  Post(rank, ranks, 100, in, requests);
  SendAll(rank, ranks, 100);
  for (int i = kMessages - 1; i >= 0; --i) MPI_Wait(&requests[i], &statuses[i]);
  sum += SumOf(in);

  Post(rank, ranks, 110, in, requests);
  SendAll(rank, ranks, 110);
  MPI_Waitall(kMessages, requests, statuses);
  sum += SumOf(in);

  Post(rank, ranks, 120, in, requests);
  SendAll(rank, ranks, 120);
  for (int i = 0; i < kMessages; ++i) {
    MPI_Waitany(kMessages, requests, &index, &statuses[0]);
    sum += index;
  }
  sum += SumOf(in);

  // One message at a time, so that how many calls are needed is certain.
  Post(rank, ranks, 130, in, requests);
  for (int i = 0; i < kMessages; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    SendOne(rank, ranks, 130, i);
    MPI_Waitsome(kMessages, requests, &done, indices, statuses);
    sum += done * (indices[0] + 1) * (i + 1);
  }
  return sum + SumOf(in);
}

long Tests(int rank, int ranks) {
  int in[kMessages], index, flag, done, indices[kMessages];
  MPI_Request requests[kMessages];
  MPI_Status statuses[kMessages];
  long sum = 0;

  Post(rank, ranks, 140, in, requests);
  SendAll(rank, ranks, 140);
  for (int i = 0; i < kMessages; ++i) {
    for (flag = 0; !flag;) MPI_Test(&requests[i], &flag, &statuses[i]);
  }
  sum += SumOf(in);

  Post(rank, ranks, 150, in, requests);
  SendAll(rank, ranks, 150);
  for (flag = 0; !flag;) MPI_Testall(kMessages, requests, &flag, statuses);
  sum += SumOf(in);

  Post(rank, ranks, 160, in, requests);
  SendAll(rank, ranks, 160);
  for (int i = 0; i < kMessages; ++i) {
    for (flag = 0; !flag;) {
      MPI_Testany(kMessages, requests, &index, &flag, &statuses[0]);
    }
    sum += index;
  }
  sum += SumOf(in);

  Post(rank, ranks, 170, in, requests);
  for (int i = 0; i < kMessages; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    SendOne(rank, ranks, 170, i);
    for (done = 0; done == 0;) {
      MPI_Testsome(kMessages, requests, &done, indices, statuses);
    }
    sum += done * (indices[0] + 1) * (i + 1);
  }
  return sum + SumOf(in);
}

// Completion of nothing is a call like any other.
long EmptyCompletions(int rank, int ranks) {
  MPI_Request none = MPI_REQUEST_NULL;
  MPI_Request nones[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  int index, flag, done, indices[3], value = rank;
  long sum = 0;
  MPI_Wait(&none, MPI_STATUS_IGNORE);
  MPI_Waitall(0, nones, MPI_STATUSES_IGNORE);
  MPI_Waitall(3, nones, MPI_STATUSES_IGNORE);
  MPI_Waitany(3, nones, &index, MPI_STATUS_IGNORE);
  sum += index == MPI_UNDEFINED;
  MPI_Waitsome(2, nones, &done, indices, MPI_STATUSES_IGNORE);
  sum += done == MPI_UNDEFINED;
  MPI_Test(&none, &flag, MPI_STATUS_IGNORE);
  sum += flag;
  MPI_Testall(3, nones, &flag, MPI_STATUSES_IGNORE);
  sum += flag;
  MPI_Testany(3, nones, &index, &flag, MPI_STATUS_IGNORE);
  sum += flag;
  MPI_Testsome(1, nones, &done, indices, MPI_STATUSES_IGNORE);
  sum += done == MPI_UNDEFINED;
  // Live requests among null ones.
  MPI_Isend(&value, 1, MPI_INT, NextOf(rank, ranks), 180, MPI_COMM_WORLD,
            &nones[0]);
  MPI_Irecv(&index, 1, MPI_INT, PrevOf(rank, ranks), 180, MPI_COMM_WORLD,
            &nones[2]);
  MPI_Waitall(3, nones, MPI_STATUSES_IGNORE);
  return sum + index;
}
