// Datatypes, groups, attributes, info and memory; graphs and their
// neighbourhood collectives, intercommunicators, persistent collectives,
// partitioned and generalised requests.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, ranks, right, left, sum;

static void Datatypes(void) {
  MPI_Datatype types[8], members[2] = {MPI_INT, MPI_DOUBLE};
  const int lengths[2] = {1, 2}, places[2] = {0, 4};
  const MPI_Aint bytes[2] = {0, 16};
  int matrix[64] = {0}, got[64], position = 0;
  char packed[256];
  MPI_Type_contiguous(3, MPI_INT, &types[0]);
  MPI_Type_vector(4, 1, 8, MPI_INT, &types[1]);
  MPI_Type_create_hvector(4, 1, 32, MPI_INT, &types[2]);
  MPI_Type_indexed(2, lengths, places, MPI_INT, &types[3]);
  MPI_Type_create_struct(2, lengths, bytes, members, &types[4]);
  MPI_Type_create_subarray(2, (int[]){8, 8}, (int[]){2, 3}, (int[]){1, 1},
                           MPI_ORDER_C, MPI_INT, &types[5]);
  MPI_Type_create_indexed_block(2, 2, places, MPI_INT, &types[6]);
  MPI_Type_dup(types[1], &types[7]);
  for (int i = 0; i < 8; ++i) MPI_Type_commit(&types[i]);
  for (int i = 0; i < 8; ++i) {
    MPI_Sendrecv(matrix, 1, types[i], right, i, got, 1, types[i], left, i,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Pack(matrix, 5, MPI_INT, packed, sizeof packed, &position,
           MPI_COMM_WORLD);
  position = 0;
  MPI_Unpack(packed, sizeof packed, &position, got, 5, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < 8; ++i) MPI_Type_free(&types[i]);
}

static void Sum(void* in, void* inout, int* n, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *n; ++i) ((int*)inout)[i] += ((int*)in)[i];
}

static void LocalObjects(void) {
  MPI_Group all, odd, even, one;
  MPI_Info info;
  MPI_Op op;
  int key, in = rank, out = 0, range[1][3] = {{0, ranks - 1, 2}};
  void* memory;
  char* buffer = malloc(1024);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_range_incl(all, 1, range, &even);
  MPI_Group_difference(all, even, &odd);
  MPI_Group_union(odd, even, &one);
  MPI_Group_free(&one);
  MPI_Group_excl(all, 1, &rank, &one);
  MPI_Group_free(&one);
  MPI_Group_free(&odd);
  MPI_Group_free(&even);
  MPI_Group_free(&all);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key,
                         NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, &in);
  MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
  MPI_Comm_free_keyval(&key);
  MPI_Info_create(&info);
  MPI_Info_set(info, "key", "value");
  MPI_Info_delete(info, "key");
  MPI_Info_free(&info);
  MPI_Alloc_mem(64, MPI_INFO_NULL, &memory);
  MPI_Free_mem(memory);
  MPI_Op_create(Sum, 1, &op);
  MPI_Allreduce(&in, &out, 1, MPI_INT, op, MPI_COMM_WORLD);
  MPI_Reduce_local(&in, &out, 1, MPI_INT, op);
  MPI_Op_free(&op);
  MPI_Buffer_attach(buffer, 1024);
  MPI_Bsend(&in, 1, MPI_INT, right, 50, MPI_COMM_WORLD);
  MPI_Recv(&out, 1, MPI_INT, left, 50, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Buffer_detach(&buffer, &out);
  free(buffer);
}

static void Neighbourhoods(void) {
  MPI_Comm ring, adjacent, graph;
  MPI_Request request;
  const int one = 1, counts[2] = {1, 2}, places[2] = {0, 2};
  int *index = malloc(ranks * sizeof *index),
      *edges = malloc(ranks * sizeof *edges);
  int in[8] = {rank, rank, rank, rank}, out[8];
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &one, 0, &ring);
  MPI_Neighbor_alltoall(in, 1, MPI_INT, out, 1, MPI_INT, ring);
  sum += out[0];
  MPI_Neighbor_alltoallv(in, (int[]){1, 1}, places, MPI_INT, out, (int[]){1, 1},
                         places, MPI_INT, ring);
  MPI_Ineighbor_allgather(in, 1, MPI_INT, out, 1, MPI_INT, ring, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, MPI_UNWEIGHTED, 1,
                                 &right, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &adjacent);
  MPI_Neighbor_allgatherv(in, 1, MPI_INT, out, counts, places, MPI_INT,
                          adjacent);
  MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &one, &right, MPI_UNWEIGHTED,
                        MPI_INFO_NULL, 0, &graph);
  MPI_Neighbor_allgather(in, 2, MPI_INT, out, 2, MPI_INT, graph);
  MPI_Comm_free(&graph);
  for (int i = 0; i < ranks; ++i) index[i] = i + 1;
  for (int i = 0; i < ranks; ++i) edges[i] = (i ^ 1) < ranks ? i ^ 1 : i;
  MPI_Graph_create(MPI_COMM_WORLD, ranks, index, edges, 0, &graph);
  MPI_Neighbor_allgather(in, 1, MPI_INT, out, 1, MPI_INT, graph);
  MPI_Comm_free(&graph);
  MPI_Comm_free(&adjacent);
  MPI_Comm_free(&ring);
  free(index);
  free(edges);
}

static void Intercommunicator(void) {
  MPI_Comm half, inter, merged;
  const int side = rank % 2;
  int value = rank;
  if (ranks < 2) return;
  MPI_Comm_split(MPI_COMM_WORLD, side, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 7, &inter);
  MPI_Bcast(&value, 1, MPI_INT,
            side == 1   ? 0
            : rank == 0 ? MPI_ROOT
                        : MPI_PROC_NULL,
            inter);
  MPI_Intercomm_merge(inter, side, &merged);
  MPI_Barrier(merged);
  MPI_Comm_free(&merged);
  MPI_Comm_disconnect(&inter);
  MPI_Comm_free(&half);
}

static int Query(void* state, MPI_Status* status) {
  (void)state;
  MPI_Status_set_elements(status, MPI_INT, 0);
  MPI_Status_set_cancelled(status, 0);
  return MPI_SUCCESS;
}
static int Free(void* state) {
  (void)state;
  return MPI_SUCCESS;
}
static int Cancel(void* state, int complete) {
  (void)state;
  (void)complete;
  return MPI_SUCCESS;
}

static void Requests(void) {
  MPI_Request request, pair[2];
  int in = rank, out = 0, parts[4] = {0}, got[4];
  MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                     MPI_INFO_NULL, &request);
  for (int i = 0; i < 3; ++i) {
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  sum += out;
  MPI_Wait(&request, MPI_STATUS_IGNORE);  // inactive
  MPI_Request_free(&request);
  MPI_Psend_init(parts, 4, 1, MPI_INT, right, 3, MPI_COMM_WORLD, MPI_INFO_NULL,
                 &pair[0]);
  MPI_Precv_init(got, 2, 2, MPI_INT, left, 3, MPI_COMM_WORLD, MPI_INFO_NULL,
                 &pair[1]);
  MPI_Startall(2, pair);
  MPI_Pready(0, pair[0]);
  MPI_Pready_range(1, 2, pair[0]);
  MPI_Pready_list(1, (int[]){3}, pair[0]);
  MPI_Waitall(2, pair, MPI_STATUSES_IGNORE);
  MPI_Request_free(&pair[0]);
  MPI_Request_free(&pair[1]);
  MPI_Grequest_start(Query, Free, Cancel, NULL, &request);
  MPI_Grequest_complete(request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  int total;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  right = (rank + 1) % ranks;
  left = (rank + ranks - 1) % ranks;
  Datatypes();
  LocalObjects();
  Neighbourhoods();
  Intercommunicator();
  Requests();
  MPI_Reduce(&sum, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("objects %d\n", total);
  MPI_Finalize();
  return 0;
}
