// Calls that are made within MPI_Finalize, by what hangs on MPI_COMM_SELF: on a
// communicator of a library's own, which is made and freed there as libraries
// do. The newest comes first.
#include <mpi.h>
#include <stdio.h>

static int Delete(MPI_Comm comm, int keyval, void* value, void* extra) {
  (void)comm, (void)keyval, (void)extra;
  MPI_Comm mine;
  int rank, sum = 0;
  const int round = *(int*)value;
  MPI_Comm_dup(MPI_COMM_WORLD, &mine);
  MPI_Comm_rank(mine, &rank);
  for (int i = 0; i < round; ++i) {
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, mine);
  }
  MPI_Comm_free(&mine);
  if (rank == 0) printf("round %d: %d\n", round, sum);
  fflush(stdout);
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  static int rounds[] = {2, 3};
  for (int i = 0; i < 2; ++i) {
    int keyval;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, Delete, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyval, &rounds[i]);
    MPI_Comm_free_keyval(&keyval);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
