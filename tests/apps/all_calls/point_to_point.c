#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

enum { kWords = 64 };

static int NextOf(int rank, int ranks) { return (rank + 1) % ranks; }
static int PrevOf(int rank, int ranks) { return (rank + ranks - 1) % ranks; }

static long SumOf(const int* words, int count) {
  long sum = 0;
  for (int i = 0; i < count; ++i) sum += words[i];
  return sum;
}

static void Fill(int* words, int rank) {
  for (int i = 0; i < kWords; ++i) words[i] = rank * 100 + i;
}

// The receive is always posted before anybody sends, as ready mode needs.
static long BlockingModes(int rank, int ranks, int count) {
  int out[kWords], in[kWords];
  MPI_Request request;
  long sum = 0;
  Fill(out, rank);
  for (int mode = 0; mode < 4; ++mode) {
    int to = NextOf(rank, ranks);
    MPI_Irecv(in, kWords, MPI_INT, PrevOf(rank, ranks), 10 + mode,
              MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    if (mode == 0) {
      MPI_Send(out, count, MPI_INT, to, 10, MPI_COMM_WORLD);
    } else if (mode == 1) {
      MPI_Ssend(out, count, MPI_INT, to, 11, MPI_COMM_WORLD);
    } else if (mode == 2) {
      MPI_Rsend(out, count, MPI_INT, to, 12, MPI_COMM_WORLD);
    } else {
      MPI_Bsend(out, count, MPI_INT, to, 13, MPI_COMM_WORLD);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    sum += SumOf(in, count);
  }
  return sum;
}

static long ImmediateModes(int rank, int ranks, int count) {
  int out[kWords], in[4][kWords];
  MPI_Request requests[8];
  MPI_Status statuses[8];
  int to = NextOf(rank, ranks);
  long sum = 0;
  Fill(out, rank);
  for (int i = 0; i < 4; ++i) {
    MPI_Irecv(in[i], kWords, MPI_INT, PrevOf(rank, ranks), 20 + i,
              MPI_COMM_WORLD, &requests[i]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Isend(out, count, MPI_INT, to, 20, MPI_COMM_WORLD, &requests[4]);
  MPI_Issend(out, count, MPI_INT, to, 21, MPI_COMM_WORLD, &requests[5]);
  MPI_Irsend(out, count, MPI_INT, to, 22, MPI_COMM_WORLD, &requests[6]);
  MPI_Ibsend(out, count, MPI_INT, to, 23, MPI_COMM_WORLD, &requests[7]);
  MPI_Waitall(8, requests, statuses);
  for (int i = 0; i < 4; ++i) sum += SumOf(in[i], count);
  return sum;
}

long SendModes(int rank, int ranks) {
  int size = 4 * (kWords * (int)sizeof(int) + MPI_BSEND_OVERHEAD);
  void* buffer = malloc(size);
  long sum = 0;
  MPI_Buffer_attach(buffer, size);
  for (int count = 0; count <= kWords; count += 16) {
    sum += BlockingModes(rank, ranks, count);
    sum += ImmediateModes(rank, ranks, count);
  }
  MPI_Buffer_detach(&buffer, &size);
  free(buffer);
  return sum;
}

long Wildcards(int rank, int ranks) {
  long sum = 0;
  for (int round = 0; round < 3; ++round) {
    int value = rank * 10 + round;
    if (rank != 0) {
      MPI_Send(&value, 1, MPI_INT, 0, rank + round, MPI_COMM_WORLD);
    } else {
      for (int i = 1; i < ranks; ++i) {
        MPI_Status status;
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
                 MPI_COMM_WORLD, &status);
        sum += value * status.MPI_SOURCE + status.MPI_TAG;
      }
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  // A wildcard in one of the two only.
  int in[2] = {0, 0}, out[2] = {rank, -rank};
  MPI_Request requests[2];
  MPI_Irecv(&in[0], 1, MPI_INT, MPI_ANY_SOURCE, 31, MPI_COMM_WORLD,
            &requests[0]);
  MPI_Irecv(&in[1], 1, MPI_INT, PrevOf(rank, ranks), 32, MPI_COMM_WORLD,
            &requests[1]);
  MPI_Send(&out[0], 1, MPI_INT, NextOf(rank, ranks), 31, MPI_COMM_WORLD);
  MPI_Send(&out[1], 1, MPI_INT, NextOf(rank, ranks), 32, MPI_COMM_WORLD);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  return sum + in[0] * 2 + in[1];
}

// A line of ranks with nobody beyond its ends.
long NullPeers(int rank, int ranks) {
  int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  int right = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  int in[2] = {-1, -1}, value = rank;
  MPI_Request requests[4];
  MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 40, MPI_COMM_WORLD);
  MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 40, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  MPI_Irecv(&in[0], 1, MPI_INT, left, 41, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&in[1], 1, MPI_INT, right, MPI_ANY_TAG, MPI_COMM_WORLD,
            &requests[1]);
  MPI_Isend(&value, 1, MPI_INT, right, 41, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(&value, 1, MPI_INT, left, 42, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  MPI_Sendrecv(&value, 1, MPI_INT, right, 43, &in[0], 1, MPI_INT, left, 43,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Probe(MPI_PROC_NULL, 44, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return in[0] * 3 + in[1];
}

long DerivedTypes(int rank, int ranks) {
  int out[kWords], in[kWords];
  MPI_Datatype types[4];
  int lengths[2] = {3, 1};
  MPI_Aint places[2] = {0, 20};
  MPI_Datatype parts[2] = {MPI_INT, MPI_DOUBLE};
  Fill(out, rank);
  memset(in, 0, sizeof in);
  MPI_Type_contiguous(5, MPI_INT, &types[0]);
  MPI_Type_vector(4, 2, 8, MPI_INT, &types[1]);
  MPI_Type_create_struct(2, lengths, places, parts, &types[2]);
  MPI_Type_create_resized(types[0], 0, 32, &types[3]);
  for (int i = 0; i < 4; ++i) MPI_Type_commit(&types[i]);
  for (int i = 0; i < 4; ++i) {
    for (int count = 0; count < 3; ++count) {
      if (i == 1 && count == 2) continue;
      MPI_Sendrecv(out, count, types[i], NextOf(rank, ranks), 50 + i, in, count,
                   types[i], PrevOf(rank, ranks), 50 + i, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
    }
  }
  // Sent as one type, received as another of the same signature.
  MPI_Sendrecv(out, 1, types[1], NextOf(rank, ranks), 59, in, 8, MPI_INT,
               PrevOf(rank, ranks), 59, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < 4; ++i) MPI_Type_free(&types[i]);
  return SumOf(in, kWords);
}

long BothWays(int rank, int ranks) {
  int out[kWords], in[kWords];
  int to = NextOf(rank, ranks), from = PrevOf(rank, ranks);
  long sum = 0;
  Fill(out, rank);
  memset(in, 0, sizeof in);
  for (int i = 1; i < 4; ++i) {
    MPI_Sendrecv(out, i, MPI_INT, to, i, in, kWords, MPI_INT, from, i,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(out, i, MPI_INT, to, 61, in, kWords, MPI_INT, MPI_ANY_SOURCE,
                 MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    sum += SumOf(in, i);
    MPI_Sendrecv_replace(in, 2 * i, MPI_INT, from, 62, to, 62, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    sum += SumOf(in, i);
#if MPI_VERSION >= 4
    MPI_Request requests[2];
    MPI_Isendrecv(out, i, MPI_INT, to, 63, in, i, MPI_INT, from, 63,
                  MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Isendrecv_replace(in, i, MPI_INT, to, 64, from, 64, MPI_COMM_WORLD,
                          &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    sum += SumOf(in, i);
#endif
  }
  return sum;
}

long Probes(int rank, int ranks) {
  int from = PrevOf(rank, ranks);
  long sum = 0;
  for (int i = 0; i < 4; ++i) {
    int out[4] = {rank, i, 7, 9}, in[4] = {0}, flag = 0, count;
    MPI_Status status;
    MPI_Message message;
    MPI_Request sent, received;
    MPI_Isend(out, i + 1, MPI_INT, NextOf(rank, ranks), 70 + i, MPI_COMM_WORLD,
              &sent);
    if (i == 0) {
      MPI_Probe(from, 70, MPI_COMM_WORLD, &status);
      MPI_Get_count(&status, MPI_INT, &count);
      MPI_Recv(in, count, MPI_INT, from, 70, MPI_COMM_WORLD, &status);
    } else if (i == 1) {
      while (!flag) {
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
      }
      MPI_Recv(in, 4, MPI_INT, status.MPI_SOURCE, status.MPI_TAG,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (i == 2) {
      MPI_Mprobe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
      MPI_Mrecv(in, 4, MPI_INT, &message, MPI_STATUS_IGNORE);
    } else {
      while (!flag) {
        MPI_Improbe(MPI_ANY_SOURCE, 73, MPI_COMM_WORLD, &flag, &message,
                    &status);
      }
      MPI_Imrecv(in, 4, MPI_INT, &message, &received);
      MPI_Wait(&received, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    sum += SumOf(in, 4) * (i + 1);
  }
  return sum;
}

// Requests made once and started in loops whose trip counts differ.
long Persistent(int rank, int ranks) {
  int size = 8 * ((int)sizeof(int) + MPI_BSEND_OVERHEAD);
  void* buffer = malloc(size);
  int to = NextOf(rank, ranks), from = PrevOf(rank, ranks);
  int out = rank + 1, in[4];
  MPI_Request receives[4], sends[4];
  long sum = 0;
  MPI_Buffer_attach(buffer, size);
  for (int i = 0; i < 4; ++i) {
    MPI_Recv_init(&in[i], 1, MPI_INT, from, 80 + i, MPI_COMM_WORLD,
                  &receives[i]);
  }
  MPI_Send_init(&out, 1, MPI_INT, to, 80, MPI_COMM_WORLD, &sends[0]);
  MPI_Ssend_init(&out, 1, MPI_INT, to, 81, MPI_COMM_WORLD, &sends[1]);
  MPI_Rsend_init(&out, 1, MPI_INT, to, 82, MPI_COMM_WORLD, &sends[2]);
  MPI_Bsend_init(&out, 1, MPI_INT, to, 83, MPI_COMM_WORLD, &sends[3]);
  for (int visit = 1; visit < 4; ++visit) {
    for (int i = 0; i < visit; ++i) {
      MPI_Startall(4, receives);
      MPI_Barrier(MPI_COMM_WORLD);
      if (visit == 2) {
        for (int k = 0; k < 4; ++k) MPI_Start(&sends[k]);
      } else {
        MPI_Startall(4, sends);
      }
      MPI_Waitall(4, receives, MPI_STATUSES_IGNORE);
      for (int k = 0; k < 4; ++k) MPI_Wait(&sends[k], MPI_STATUS_IGNORE);
      for (int k = 0; k < 4; ++k) sum += in[k] * (k + 1);
    }
  }
  for (int i = 0; i < 4; ++i) MPI_Request_free(&sends[i]);
  for (int i = 3; i >= 0; --i) MPI_Request_free(&receives[i]);
  MPI_Buffer_detach(&buffer, &size);
  free(buffer);
  return sum;
}

long FreedAndCancelled(int rank, int ranks) {
  static int out;
  int in[2] = {0, 0};
  MPI_Request request;
  out = rank + 5;
  // Freed while it may still be under way; the buffer lives on.
  MPI_Isend(&out, 1, MPI_INT, NextOf(rank, ranks), 90, MPI_COMM_WORLD,
            &request);
  MPI_Request_free(&request);
  MPI_Recv(&in[0], 1, MPI_INT, PrevOf(rank, ranks), 90, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 2; ++i) {
    MPI_Status status;
    int cancelled;
    MPI_Irecv(&in[1], 1, MPI_INT, PrevOf(rank, ranks), 91, MPI_COMM_WORLD,
              &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    in[0] += cancelled;
  }
  return in[0];
}
