// Every call of one rank's book-keeping that has a stand-in, in a loop and with
// what it makes in use: datatypes, groups, attributes, info, operations, error
// handlers, classes and codes, memory, packing and buffers of sends.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kTypes = 12 };
static int rank, ranks, right, left;

static void MakeTypes(MPI_Datatype* t) {
  MPI_Datatype members[2] = {MPI_INT, MPI_DOUBLE};
  int lengths[2] = {1, 2}, places[2] = {0, 4}, whole[2] = {8, 8};
  int part[2] = {2, 3}, from[2] = {1, 1}, one = 1, along = MPI_DISTRIBUTE_NONE;
  int block = MPI_DISTRIBUTE_DFLT_DARG, four = 4;
  MPI_Aint bytes[2] = {0, 16};
  MPI_Type_contiguous(3, MPI_INT, &t[0]);
  MPI_Type_vector(4, 1, 8, MPI_INT, &t[1]);
  MPI_Type_create_hvector(4, 1, 32, MPI_INT, &t[2]);
  MPI_Type_indexed(2, lengths, places, MPI_INT, &t[3]);
  MPI_Type_create_hindexed(2, lengths, bytes, MPI_INT, &t[4]);
  MPI_Type_create_indexed_block(2, 2, places, MPI_INT, &t[5]);
  MPI_Type_create_hindexed_block(2, 2, bytes, MPI_INT, &t[6]);
  MPI_Type_create_struct(2, lengths, bytes, members, &t[7]);
  MPI_Type_create_subarray(2, whole, part, from, MPI_ORDER_C, MPI_INT, &t[8]);
  MPI_Type_create_darray(1, 0, 1, &four, &along, &block, &one, MPI_ORDER_C,
                         MPI_INT, &t[9]);
  MPI_Type_create_resized(MPI_INT, 0, 8, &t[10]);
  MPI_Type_dup(t[1], &t[11]);
}

static void SendTypes(void) {
  MPI_Datatype types[kTypes];
  int sent[128] = {0}, got[128];
  MakeTypes(types);
  for (int i = 0; i < kTypes; ++i) MPI_Type_commit(&types[i]);
  for (int i = 0; i < kTypes; ++i) {
    MPI_Sendrecv(sent, 1, types[i], right, i, got, 1, types[i], left, i,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  for (int i = 0; i < kTypes; ++i) MPI_Type_free(&types[i]);
}

// What these give is predefined, and is not freed.
static void FindTypes(void) {
  MPI_Datatype type;
  MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &type);
  MPI_Type_create_f90_real(15, 300, &type);
  MPI_Type_create_f90_complex(6, 30, &type);
  MPI_Type_create_f90_integer(4, &type);
}

static void MakeGroups(void) {
  MPI_Group all, made[7];
  int range[1][3] = {{0, ranks - 1, 2}};
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &rank, &made[0]);
  MPI_Group_excl(all, 1, &rank, &made[1]);
  MPI_Group_range_incl(all, 1, range, &made[2]);
  MPI_Group_range_excl(all, 1, range, &made[3]);
  MPI_Group_union(made[0], made[1], &made[4]);
  MPI_Group_intersection(made[0], all, &made[5]);
  MPI_Group_difference(all, made[0], &made[6]);
  for (int i = 0; i < 7; ++i) MPI_Group_free(&made[i]);
  MPI_Group_free(&all);
}

static void Sum(void* in, void* inout, int* n, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *n; ++i) ((int*)inout)[i] += ((int*)in)[i];
}

static void Reduce(void) {
  MPI_Op op;
  int in = rank, out = 0;
  MPI_Op_create(Sum, 1, &op);
  MPI_Allreduce(&in, &out, 1, MPI_INT, op, MPI_COMM_WORLD);
  MPI_Reduce_local(&in, &out, 1, MPI_INT, op);
  MPI_Reduce_local(&in, &out, 1, MPI_INT, MPI_SUM);
  MPI_Op_free(&op);
}

static void OnComm(MPI_Comm* comm, int* code, ...) { (void)comm, (void)code; }
static void OnWin(MPI_Win* win, int* code, ...) { (void)win, (void)code; }
static void OnFile(MPI_File* file, int* code, ...) { (void)file, (void)code; }

static void Attach(MPI_Comm comm) {
  MPI_Errhandler handlers[3];
  MPI_Info info, copy;
  int key;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key,
                         NULL);
  MPI_Comm_set_attr(comm, key, &rank);
  MPI_Comm_delete_attr(comm, key);
  MPI_Comm_free_keyval(&key);
  MPI_Info_create(&info);
  MPI_Info_set(info, "key", "value");
  MPI_Info_dup(info, &copy);
  MPI_Info_delete(info, "key");
  MPI_Comm_set_info(comm, copy);
  MPI_Info_free(&copy);
  MPI_Info_free(&info);
  MPI_Comm_create_errhandler(OnComm, &handlers[0]);
  MPI_Win_create_errhandler(OnWin, &handlers[1]);
  MPI_File_create_errhandler(OnFile, &handlers[2]);
  for (int i = 0; i < 3; ++i) MPI_Errhandler_free(&handlers[i]);
}

static void AddErrors(void) {
  int error_class, code;
  MPI_Add_error_class(&error_class);
  MPI_Add_error_code(error_class, &code);
  MPI_Add_error_string(code, "of our own");
}

static void Keep(MPI_Comm comm) {
  void* memory;
  char packed[256], *buffer = malloc(2048);
  int in[5] = {rank}, out[5], place = 0, size;
  MPI_Alloc_mem(64, MPI_INFO_NULL, &memory);
  MPI_Free_mem(memory);
  MPI_Pack(in, 5, MPI_INT, packed, sizeof packed, &place, comm);
  place = 0;
  MPI_Unpack(packed, sizeof packed, &place, out, 5, MPI_INT, comm);
  MPI_Buffer_attach(buffer, 2048);
  MPI_Bsend(in, 3, MPI_INT, right, 50, MPI_COMM_WORLD);
  MPI_Recv(out, 3, MPI_INT, left, 50, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Buffer_detach(&buffer, &size);
  free(buffer);
}

int main(int argc, char** argv) {
  MPI_Comm half;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  right = (rank + 1) % ranks;
  left = (rank + ranks - 1) % ranks;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  for (int i = 0; i < 20; ++i) {
    SendTypes();
    FindTypes();
    MakeGroups();
    Reduce();
    Attach(half);
    AddErrors();
    Keep(half);
  }
  MPI_Comm_free(&half);
  if (rank == 0) printf("local objects\n");
  MPI_Finalize();
  return 0;
}
