// neighbours: two distributed graphs whose edges carry amounts of their own,
// the last rank without any, and every call over neighbours. MPI chooses the
// order in which a rank finds its sources, another one in each run; the program
// asks for it.
#include <mpi.h>
#include <stdio.h>

enum { kMost = 16, kRoom = 1 << 14 };

static int rank, size;

static int IsEdge(int from, int to) {
  return from != to && from != size - 1 && to != size - 1;
}

// So many numbers go along an edge.
static int AmountOf(int from, int to) { return 1 + from * size + to; }

struct Side {
  int n, ranks[kMost], counts[kMost], places[kMost];
  MPI_Aint byte_places[kMost];
  MPI_Datatype types[kMost];
  int data[kRoom];
};

static void LayOut(struct Side* side) {
  for (int i = 0, place = 0; i < side->n; place += side->counts[i++]) {
    side->places[i] = place;
    side->byte_places[i] = place * (MPI_Aint)sizeof(int);
    side->types[i] = MPI_INT;
  }
}

static void FillAmounts(struct Side* from, struct Side* to) {
  for (int i = 0; i < from->n; ++i) {
    from->counts[i] = AmountOf(from->ranks[i], rank);
  }
  for (int i = 0; i < to->n; ++i) to->counts[i] = AmountOf(rank, to->ranks[i]);
  LayOut(from);
  LayOut(to);
}

static MPI_Comm MakeGraph(void) {
  int n = 0, to[kMost];
  for (int i = 0; i < size; ++i) {
    if (IsEdge(rank, i)) to[n++] = i;
  }
  MPI_Comm graph;
  MPI_Dist_graph_create(MPI_COMM_WORLD, n > 0, &rank, &n, to, MPI_UNWEIGHTED,
                        MPI_INFO_NULL, 0, &graph);
  return graph;
}

static void Blocking(MPI_Comm graph, struct Side* in, struct Side* out) {
  MPI_Neighbor_allgather(out->data, 3, MPI_INT, in->data, 3, MPI_INT, graph);
  MPI_Neighbor_alltoall(out->data, 2, MPI_INT, in->data, 2, MPI_INT, graph);
  MPI_Neighbor_alltoallv(out->data, out->counts, out->places, MPI_INT, in->data,
                         in->counts, in->places, MPI_INT, graph);
  MPI_Neighbor_alltoallw(out->data, out->counts, out->byte_places, out->types,
                         in->data, in->counts, in->byte_places, in->types,
                         graph);
}

// What a rank gives all its neighbours is as much as its rank.
static void Gather(MPI_Comm graph, struct Side* in, struct Side* out) {
  MPI_Request request;
  for (int i = 0; i < in->n; ++i) in->counts[i] = 10 + in->ranks[i];
  LayOut(in);
  MPI_Neighbor_allgatherv(out->data, 10 + rank, MPI_INT, in->data, in->counts,
                          in->places, MPI_INT, graph);
  MPI_Ineighbor_allgatherv(out->data, 10 + rank, MPI_INT, in->data, in->counts,
                           in->places, MPI_INT, graph, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void NonBlocking(MPI_Comm graph, struct Side* in, struct Side* out) {
  MPI_Request request;
  MPI_Ineighbor_allgather(out->data, 3, MPI_INT, in->data, 3, MPI_INT, graph,
                          &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Ineighbor_alltoall(out->data, 2, MPI_INT, in->data, 2, MPI_INT, graph,
                         &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Ineighbor_alltoallv(out->data, out->counts, out->places, MPI_INT,
                          in->data, in->counts, in->places, MPI_INT, graph,
                          &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Ineighbor_alltoallw(out->data, out->counts, out->byte_places, out->types,
                          in->data, in->counts, in->byte_places, in->types,
                          graph, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  static struct Side in, out;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 2 && size <= kMost; ++i) {
    MPI_Comm graph = MakeGraph();
    int weighted;
    MPI_Dist_graph_neighbors_count(graph, &in.n, &out.n, &weighted);
    MPI_Dist_graph_neighbors(graph, in.n, in.ranks, MPI_UNWEIGHTED, out.n,
                             out.ranks, MPI_UNWEIGHTED);
    if (i > 0) Gather(graph, &in, &out);
    FillAmounts(&in, &out);
    if (i == 0) Blocking(graph, &in, &out);
    NonBlocking(graph, &in, &out);
    MPI_Comm_free(&graph);
  }
  if (rank == 0) printf("done\n");
  MPI_Finalize();
  return 0;
}
