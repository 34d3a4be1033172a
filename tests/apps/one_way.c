// A graph in which some ranks only send and others only receive, and
// exchanges along it.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, ranks, sent[64], got[64] = {0}, one[64], place[64];
  MPI_Aint byte[64];
  MPI_Datatype type[64];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < 64; ++i) {
    sent[i] = 100 * rank + i, one[i] = 1, place[i] = i;
    byte[i] = i * (MPI_Aint)sizeof(int), type[i] = MPI_INT;
  }
  // From all that are even to the next one, twice.
  const int sends = rank % 2 == 0 && rank + 1 < ranks;
  const int to[] = {rank + 1, rank + 1}, from[] = {rank - 1, rank - 1};
  MPI_Comm graph;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank % 2 ? 2 : 0, from,
                                 MPI_UNWEIGHTED, sends ? 2 : 0, to,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  MPI_Neighbor_alltoallv(sent, one, place, MPI_INT, got, one, place, MPI_INT,
                         graph);
  MPI_Neighbor_alltoallw(sent, one, byte, type, got, one, byte, type, graph);
  MPI_Neighbor_allgatherv(sent, 1, MPI_INT, got, one, place, MPI_INT, graph);
  MPI_Request request;
  MPI_Ineighbor_alltoallw(sent, one, byte, type, got, one, byte, type, graph,
                          &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&graph);
  if (rank == 1) printf("%d %d\n", got[0], got[1]);
  MPI_Finalize();
  return 0;
}
