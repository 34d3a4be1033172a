// persistent: every persistent collective, each started three times, with
// counts that differ between ranks. Three ranks and more.
#include <mpi.h>
#include <stdio.h>

enum { kMost = 64, kTimes = 3 };

static int rank, size, sum;
static int out[kMost * kMost], in[kMost * kMost];

// A count and a place for each rank, of a pair of lists.
struct Side {
  int counts[kMost], places[kMost];
  MPI_Aint byte_places[kMost];
  MPI_Datatype types[kMost];
};

// What `from` gives `to`.
static int AmountOf(int from, int to) { return 1 + (from + 2 * to) % 5; }

static void LayOut(struct Side* side, int n) {
  for (int i = 0, place = 0; i < n; place += side->counts[i++]) {
    side->places[i] = place;
    side->byte_places[i] = place * (MPI_Aint)sizeof(int);
    side->types[i] = MPI_INT;
  }
}

// MPI_Alltoallw takes places in bytes as ints.
static void CountBytes(struct Side* side) {
  for (int i = 0; i < size; ++i) side->places[i] *= (int)sizeof(int);
}

static void Start(MPI_Request* request, int times) {
  for (int i = 0; i < times; ++i) {
    MPI_Start(request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
    sum += in[0];
  }
  MPI_Request_free(request);
}

static void UseUp(MPI_Request* request) { Start(request, kTimes); }

// MPICH 4.0.2 cannot start these again: one ends the program, the other sends
// twice as much each time.
static void StartOnce(MPI_Comm comm) {
  MPI_Request r;
  MPI_Scatter_init(out, 2, MPI_INT, in, 2, MPI_INT, 0, comm, MPI_INFO_NULL, &r);
  Start(&r, 1);
  MPI_Allgather_init(out, 2, MPI_INT, in, 2, MPI_INT, comm, MPI_INFO_NULL, &r);
  Start(&r, 1);
}

static void Alike(MPI_Comm comm) {
  MPI_Request r;
  MPI_Info none = MPI_INFO_NULL;
  MPI_Barrier_init(comm, none, &r);
  UseUp(&r);
  MPI_Bcast_init(in, 3, MPI_INT, 0, comm, none, &r);
  UseUp(&r);
  MPI_Reduce_init(out, in, 2, MPI_INT, MPI_SUM, 0, comm, none, &r);
  UseUp(&r);
  MPI_Allreduce_init(MPI_IN_PLACE, in, 2, MPI_INT, MPI_MAX, comm, none, &r);
  UseUp(&r);
  MPI_Scan_init(out, in, 2, MPI_INT, MPI_SUM, comm, none, &r);
  UseUp(&r);
  MPI_Exscan_init(out, in, 2, MPI_INT, MPI_SUM, comm, none, &r);
  UseUp(&r);
  MPI_Gather_init(out, 2, MPI_INT, in, 2, MPI_INT, 0, comm, none, &r);
  UseUp(&r);
  MPI_Alltoall_init(out, 2, MPI_INT, in, 2, MPI_INT, comm, none, &r);
  UseUp(&r);
  MPI_Reduce_scatter_block_init(out, in, 2, MPI_INT, MPI_SUM, comm, none, &r);
  UseUp(&r);
}

static void Counted(MPI_Comm comm) {
  struct Side to, from;
  MPI_Request r;
  MPI_Info none = MPI_INFO_NULL;
  for (int i = 0; i < size; ++i) to.counts[i] = AmountOf(0, i);
  LayOut(&to, size);
  MPI_Gatherv_init(out, to.counts[rank], MPI_INT, in, to.counts, to.places,
                   MPI_INT, 0, comm, none, &r);
  UseUp(&r);
  MPI_Scatterv_init(out, to.counts, to.places, MPI_INT, in, to.counts[rank],
                    MPI_INT, 0, comm, none, &r);
  UseUp(&r);
  MPI_Allgatherv_init(out, to.counts[rank], MPI_INT, in, to.counts, to.places,
                      MPI_INT, comm, none, &r);
  UseUp(&r);
  MPI_Reduce_scatter_init(out, in, to.counts, MPI_INT, MPI_SUM, comm, none, &r);
  UseUp(&r);
  for (int i = 0; i < size; ++i) {
    from.counts[i] = AmountOf(i, rank);
    to.counts[i] = AmountOf(rank, i);
  }
  LayOut(&to, size);
  LayOut(&from, size);
  MPI_Alltoallv_init(out, to.counts, to.places, MPI_INT, in, from.counts,
                     from.places, MPI_INT, comm, none, &r);
  UseUp(&r);
  CountBytes(&to);
  CountBytes(&from);
  MPI_Alltoallw_init(out, to.counts, to.places, to.types, in, from.counts,
                     from.places, from.types, comm, none, &r);
  UseUp(&r);
}

// A ring in which each rank has two neighbours.
static void Neighbours(void) {
  struct Side to, from;
  MPI_Comm ring;
  MPI_Request r;
  MPI_Info none = MPI_INFO_NULL;
  const int next[2] = {(rank + 1) % size, (rank + size - 1) % size};
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, next, MPI_UNWEIGHTED, 2,
                                 next, MPI_UNWEIGHTED, none, 0, &ring);
  MPI_Neighbor_allgather_init(out, 3, MPI_INT, in, 3, MPI_INT, ring, none, &r);
  UseUp(&r);
  MPI_Neighbor_alltoall_init(out, 2, MPI_INT, in, 2, MPI_INT, ring, none, &r);
  UseUp(&r);
  for (int i = 0; i < 2; ++i) from.counts[i] = 1 + next[i];
  LayOut(&from, 2);
  MPI_Neighbor_allgatherv_init(out, 1 + rank, MPI_INT, in, from.counts,
                               from.places, MPI_INT, ring, none, &r);
  UseUp(&r);
  for (int i = 0; i < 2; ++i) {
    from.counts[i] = AmountOf(next[i], rank);
    to.counts[i] = AmountOf(rank, next[i]);
  }
  LayOut(&from, 2);
  LayOut(&to, 2);
  MPI_Neighbor_alltoallv_init(out, to.counts, to.places, MPI_INT, in,
                              from.counts, from.places, MPI_INT, ring, none,
                              &r);
  UseUp(&r);
  MPI_Neighbor_alltoallw_init(out, to.counts, to.byte_places, to.types, in,
                              from.counts, from.byte_places, from.types, ring,
                              none, &r);
  UseUp(&r);
  MPI_Comm_free(&ring);
}

int main(int argc, char** argv) {
  MPI_Comm turned;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size > kMost || size < 3) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < kMost * kMost; ++i) out[i] = rank + i;
  Alike(MPI_COMM_WORLD);
  StartOnce(MPI_COMM_WORLD);
  Counted(MPI_COMM_WORLD);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
  Alike(turned);
  MPI_Comm_free(&turned);
  Neighbours();
  if (rank == 0) printf("persistent: %d\n", sum);
  MPI_Finalize();
  return 0;
}
