#include "collectives.h"

#include <string.h>

#include "parts.h"

enum { kMost = 16, kRoom = 4 * kMost * kMost };

struct Side {
  int data[kRoom];
  int counts[kMost];
  int places[kMost];   // in elements
  int offsets[kMost];  // in bytes
  MPI_Datatype types[kMost];
};

static void FillSide(struct Side* side, int rank) {
  memset(side, 0, sizeof *side);
  for (int i = 0; i < kRoom; ++i) side->data[i] = rank + i % 13;
}

static void Place(struct Side* side, int size) {
  int at = 0;
  for (int i = 0; i < size; ++i) {
    side->places[i] = at;
    side->offsets[i] = at * (int)sizeof(int);
    at += side->counts[i];
  }
}

static long SumOf(const struct Side* side) {
  long sum = 0;
  for (int i = 0; i < kRoom; ++i) sum += side->data[i] * (i % 7 + 1);
  return sum;
}

static long Rooted(MPI_Comm comm, int root, struct Side* out, struct Side* in) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  int is_root = rank == root;
  MPI_Bcast(in->data, 9, MPI_INT, root, comm);
  MPI_Reduce(out->data, in->data, 5, MPI_INT, MPI_SUM, root, comm);
  MPI_Reduce(is_root ? MPI_IN_PLACE : out->data, out->data, 3, MPI_INT, MPI_MAX,
             root, comm);
  // What is not significant at a rank may be anything.
  if (is_root) {
    MPI_Gather(out->data, 2, MPI_INT, in->data, 2, MPI_INT, root, comm);
    MPI_Gather(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, in->data, 3, MPI_INT, root,
               comm);
    MPI_Scatter(out->data, 2, MPI_INT, in->data, 2, MPI_INT, root, comm);
    MPI_Scatter(out->data, 3, MPI_INT, MPI_IN_PLACE, -1, MPI_DATATYPE_NULL,
                root, comm);
  } else {
    MPI_Gather(out->data, 2, MPI_INT, NULL, -1, MPI_DATATYPE_NULL, root, comm);
    MPI_Gather(out->data, 3, MPI_INT, NULL, -1, MPI_DATATYPE_NULL, root, comm);
    MPI_Scatter(NULL, -1, MPI_DATATYPE_NULL, in->data, 2, MPI_INT, root, comm);
    MPI_Scatter(NULL, -1, MPI_DATATYPE_NULL, in->data, 3, MPI_INT, root, comm);
  }
  // Rank i's part has i elements, so rank 0's is empty.
  for (int i = 0; i < size; ++i) in->counts[i] = out->counts[i] = i;
  Place(in, size);
  Place(out, size);
  if (is_root) {
    MPI_Gatherv(out->data, rank, MPI_INT, in->data, in->counts, in->places,
                MPI_INT, root, comm);
    MPI_Gatherv(MPI_IN_PLACE, 0, MPI_INT, in->data, in->counts, in->places,
                MPI_INT, root, comm);
    MPI_Scatterv(out->data, out->counts, out->places, MPI_INT, in->data, rank,
                 MPI_INT, root, comm);
    MPI_Scatterv(out->data, out->counts, out->places, MPI_INT, MPI_IN_PLACE, 0,
                 MPI_INT, root, comm);
  } else {
    MPI_Gatherv(out->data, rank, MPI_INT, NULL, NULL, NULL, MPI_DATATYPE_NULL,
                root, comm);
    MPI_Gatherv(out->data, rank, MPI_INT, NULL, NULL, NULL, MPI_DATATYPE_NULL,
                root, comm);
    MPI_Scatterv(NULL, NULL, NULL, MPI_DATATYPE_NULL, in->data, rank, MPI_INT,
                 root, comm);
    MPI_Scatterv(NULL, NULL, NULL, MPI_DATATYPE_NULL, in->data, rank, MPI_INT,
                 root, comm);
  }
  return SumOf(in);
}

static long Reductions(MPI_Comm comm, struct Side* out, struct Side* in) {
  int rank, size;
  double halves[2] = {0.5, 0.25}, sums[2];
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Barrier(comm);
  MPI_Allreduce(out->data, in->data, 4, MPI_INT, MPI_SUM, comm);
  MPI_Allreduce(MPI_IN_PLACE, in->data, 6, MPI_INT, MPI_MIN, comm);
  MPI_Allreduce(halves, sums, 2, MPI_DOUBLE, MPI_SUM, comm);
  MPI_Scan(out->data, in->data, 3, MPI_INT, MPI_SUM, comm);
  MPI_Scan(MPI_IN_PLACE, in->data, 3, MPI_INT, MPI_SUM, comm);
  in->data[0] = 0;
  MPI_Exscan(out->data, in->data, 2, MPI_INT, MPI_SUM, comm);
  for (int i = 0; i < size; ++i) in->counts[i] = i % 3;
  MPI_Reduce_scatter(out->data, in->data, in->counts, MPI_INT, MPI_SUM, comm);
  MPI_Reduce_scatter(MPI_IN_PLACE, in->data, in->counts, MPI_INT, MPI_SUM,
                     comm);
  MPI_Reduce_scatter_block(out->data, in->data, 2, MPI_INT, MPI_SUM, comm);
  MPI_Reduce_scatter_block(MPI_IN_PLACE, in->data, 2, MPI_INT, MPI_SUM, comm);
  return SumOf(in) + (long)(4 * sums[0]);
}

// Counts that agree between sender and receiver, zeros among them; the i-th
// rank sends (i + j) % 4 elements to the j-th.
static void PairwiseCounts(struct Side* out, struct Side* in, int rank,
                           int size) {
  for (int i = 0; i < size; ++i) {
    out->counts[i] = in->counts[i] = (rank + i) % 4;
    out->types[i] = MPI_INT;
    in->types[i] = MPI_INT;
  }
  Place(out, size);
  Place(in, size);
}

static long AllToAlls(MPI_Comm comm, struct Side* out, struct Side* in) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Allgather(out->data, 2, MPI_INT, in->data, 2, MPI_INT, comm);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in->data, 2, MPI_INT, comm);
  for (int i = 0; i < size; ++i) in->counts[i] = (i + 1) % 3;
  Place(in, size);
  MPI_Allgatherv(out->data, in->counts[rank], MPI_INT, in->data, in->counts,
                 in->places, MPI_INT, comm);
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in->data, in->counts,
                 in->places, MPI_INT, comm);
  MPI_Alltoall(out->data, 3, MPI_INT, in->data, 3, MPI_INT, comm);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in->data, 1, MPI_INT, comm);
  PairwiseCounts(out, in, rank, size);
  MPI_Alltoallv(out->data, out->counts, out->places, MPI_INT, in->data,
                in->counts, in->places, MPI_INT, comm);
  MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, in->data,
                in->counts, in->places, MPI_INT, comm);
  MPI_Alltoallw(out->data, out->counts, out->offsets, out->types, in->data,
                in->counts, in->offsets, in->types, comm);
  MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, in->data, in->counts,
                in->offsets, in->types, comm);
  return SumOf(in);
}

// All non-blocking forms under way at once, into buffers of their own.
static long NonBlocking(MPI_Comm comm, int root, struct Side* out) {
  static int in[18][kRoom];
  static struct Side ins;
  MPI_Request made[17];
  int rank, size, n = 0;
  long sum = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  memset(in, 0, sizeof in);
  FillSide(&ins, rank);
  PairwiseCounts(out, &ins, rank, size);
  int is_root = rank == root;
  int ones[kMost];
  for (int i = 0; i < size; ++i) ones[i] = 1;
  int* places = ins.places;
  for (int i = 0; i < size; ++i) places[i] = 4 * i;
  for (int i = 0; i < size; ++i) ins.offsets[i] = 4 * i * (int)sizeof(int);
  MPI_Ibarrier(comm, &made[n++]);
  MPI_Ibcast(in[0], 3, MPI_INT, root, comm, &made[n++]);
  MPI_Ireduce(out->data, in[1], 2, MPI_INT, MPI_SUM, root, comm, &made[n++]);
  MPI_Iallreduce(out->data, in[2], 4, MPI_INT, MPI_MAX, comm, &made[n++]);
  MPI_Iscan(out->data, in[3], 2, MPI_INT, MPI_SUM, comm, &made[n++]);
  MPI_Iexscan(out->data, in[4], 1, MPI_INT, MPI_SUM, comm, &made[n++]);
  MPI_Igather(out->data, 1, MPI_INT, in[5], is_root ? 1 : -1,
              is_root ? MPI_INT : MPI_DATATYPE_NULL, root, comm, &made[n++]);
  MPI_Igatherv(out->data, 1, MPI_INT, in[6], is_root ? ones : NULL,
               is_root ? places : NULL, MPI_INT, root, comm, &made[n++]);
  MPI_Iscatter(out->data, 2, MPI_INT, in[7], 2, MPI_INT, root, comm,
               &made[n++]);
  MPI_Iscatterv(is_root ? out->data : NULL, is_root ? ones : NULL,
                is_root ? places : NULL, MPI_INT, in[8], 1, MPI_INT, root, comm,
                &made[n++]);
  MPI_Iallgather(out->data, 1, MPI_INT, in[9], 1, MPI_INT, comm, &made[n++]);
  MPI_Iallgatherv(out->data, 1, MPI_INT, in[10], ones, places, MPI_INT, comm,
                  &made[n++]);
  MPI_Ialltoall(out->data, 1, MPI_INT, in[11], 1, MPI_INT, comm, &made[n++]);
  MPI_Ialltoallv(out->data, out->counts, out->places, MPI_INT, in[12],
                 ins.counts, places, MPI_INT, comm, &made[n++]);
  MPI_Ialltoallw(out->data, out->counts, out->offsets, out->types, in[13],
                 ins.counts, ins.offsets, ins.types, comm, &made[n++]);
  MPI_Ireduce_scatter(out->data, in[14], ones, MPI_INT, MPI_SUM, comm,
                      &made[n++]);
  MPI_Ireduce_scatter_block(out->data, in[15], 1, MPI_INT, MPI_SUM, comm,
                            &made[n++]);
  MPI_Waitall(n, made, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 16; ++i) {
    for (int k = 0; k < 32; ++k) sum += (long)in[i][k] * (k + i + 1);
  }
  MPI_Iallreduce(MPI_IN_PLACE, in[16], 2, MPI_INT, MPI_SUM, comm, &made[0]);
  MPI_Wait(&made[0], MPI_STATUS_IGNORE);
  MPI_Igather(is_root ? MPI_IN_PLACE : out->data, 1, MPI_INT, in[17], 1,
              MPI_INT, root, comm, &made[0]);
  MPI_Wait(&made[0], MPI_STATUS_IGNORE);
  return sum;
}

long AllCollectives(MPI_Comm comm, int root) {
  static struct Side out, in;
  int rank;
  long sum = 0;
  MPI_Comm_rank(comm, &rank);
  FillSide(&out, rank);
  FillSide(&in, rank);
  sum += Rooted(comm, root, &out, &in);
  sum += Reductions(comm, &out, &in);
  sum += AllToAlls(comm, &out, &in);
  sum += NonBlocking(comm, root, &out);
  return sum % 1000003;
}

long WorldCollectives(int rank, int ranks) {
  long sum = 0;
  (void)rank;
  for (int root = 0; root < ranks; root += 2) {
    sum += AllCollectives(MPI_COMM_WORLD, root);
  }
  sum += AllCollectives(MPI_COMM_WORLD, ranks - 1);
  return sum + AllCollectives(MPI_COMM_SELF, 0);
}
