// Attributes whose callbacks print: a tool that duplicates a communicator of
// the program, or frees one, runs them and shows in the output.
#include <mpi.h>
#include <stdio.h>

static int rank;

static int Copy(MPI_Comm comm, int keyval, void* extra, void* in, void* out,
                int* flag) {
  (void)comm, (void)keyval, (void)extra;
  if (rank == 0) puts("copied");
  fflush(stdout);
  *(void**)out = in;
  *flag = 1;
  return MPI_SUCCESS;
}

static int Delete(MPI_Comm comm, int keyval, void* value, void* extra) {
  (void)comm, (void)keyval, (void)value, (void)extra;
  if (rank == 0) puts("deleted");
  fflush(stdout);
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int keyval, value = 1;
  MPI_Comm_create_keyval(Copy, Delete, &keyval, NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, &value);
  MPI_Comm_set_attr(MPI_COMM_SELF, keyval, &value);  // deleted by finalize
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Barrier(copy);
  MPI_Comm_free(&copy);
  MPI_Comm_free_keyval(&keyval);
  MPI_Finalize();
  return 0;
}
