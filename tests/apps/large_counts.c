// Large-count calls, and datatypes that no int can describe.
#include <mpi.h>
#include <stdio.h>

enum { kMost = 1000 };

static int rank, ranks, right, left;

// Three gigabytes of one byte each: made, measured and freed, never sent.
static long long Types(void) {
  const MPI_Count huge = 3000000000;
  const MPI_Count lengths[2] = {1, 2}, places[2] = {0, huge};
  MPI_Datatype flat, spread, list, part;
  MPI_Count size = 0, lower = 0, extent = 0;
  int sent[2] = {rank, rank}, got[2] = {0, 0};
  MPI_Type_contiguous_c(huge, MPI_BYTE, &flat);
  MPI_Type_vector_c(2, 1, huge, MPI_INT, &spread);
  MPI_Type_indexed_c(2, lengths, places, MPI_CHAR, &list);
  MPI_Type_contiguous_c(2, MPI_INT, &part);
  MPI_Type_commit(&flat);
  MPI_Type_commit(&spread);
  MPI_Type_commit(&list);
  MPI_Type_commit(&part);
  MPI_Type_get_extent_c(list, &lower, &extent);
  MPI_Type_size_c(flat, &size);
  MPI_Sendrecv_c(sent, 1, part, right, 1, got, 1, part, left, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  MPI_Type_free(&flat);
  MPI_Type_free(&spread);
  MPI_Type_free(&list);
  MPI_Type_free(&part);
  return size + extent + got[0];
}

static long long Messages(void) {
  static int out[kMost], in[kMost];
  MPI_Request requests[2];
  long long sum = 0;
  for (MPI_Count n = 1; n <= kMost; n *= 10) {
    out[n - 1] = rank + 1;
    MPI_Irecv_c(in, n, MPI_INT, left, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend_c(out, n, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    sum += in[n - 1];
  }
  if (rank == 0) {
    MPI_Send_c(out, kMost, MPI_INT, right, 3, MPI_COMM_WORLD);
    MPI_Recv_c(in, kMost, MPI_INT, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv_c(in, kMost, MPI_INT, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send_c(in, kMost, MPI_INT, right, 3, MPI_COMM_WORLD);
  }
  return sum + in[0];
}

static long long Collectives(void) {
  long long all[3] = {rank, 1, 2}, sum[3] = {0, 0, 0};
  MPI_Allreduce_c(all, sum, 3, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  MPI_Bcast_c(sum, 2, MPI_LONG_LONG, ranks - 1, MPI_COMM_WORLD);
  return sum[0] + sum[1];
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  right = (rank + 1) % ranks;
  left = (rank + ranks - 1) % ranks;
  const long long types = Types(), messages = Messages();
  const long long collectives = Collectives();
  if (rank == 0) {
    printf("large_counts %lld %lld %lld\n", types, messages, collectives);
  }
  MPI_Finalize();
  return 0;
}
