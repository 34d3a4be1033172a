// Communicators made and freed inside callbacks of attributes, where nobody
// sees it, and used by the program, between communicators of its own.
#include <mpi.h>
#include <stdio.h>

static MPI_Comm kept = MPI_COMM_NULL;

static int Copy(MPI_Comm comm, int keyval, void* extra, void* in, void* out,
                int* flag) {
  (void)comm, (void)keyval, (void)extra;
  MPI_Comm_dup(MPI_COMM_SELF, &kept);
  *(void**)out = in;
  *flag = 1;
  return MPI_SUCCESS;
}

static int Delete(MPI_Comm comm, int keyval, void* value, void* extra) {
  (void)comm, (void)keyval, (void)value, (void)extra;
  if (kept != MPI_COMM_NULL) MPI_Comm_free(&kept);
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  int keyval, rank, value = 1, unseen = 0;
  MPI_Comm first, copy, turned;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_create_keyval(Copy, Delete, &keyval, NULL);
  MPI_Comm_dup(MPI_COMM_WORLD, &first);
  MPI_Comm_set_attr(first, keyval, &value);
  for (int i = 0; i < 8; ++i) {
    MPI_Comm_dup(first, &copy);
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MAX, kept);
    ++unseen;
    MPI_Comm_free(&copy);
    // This may be the handle of the one that was freed.
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
    MPI_Bcast(&value, 1, MPI_INT, 0, turned);
    MPI_Comm_free(&turned);
  }
  MPI_Comm_free(&first);
  MPI_Comm_free_keyval(&keyval);
  int all = 0;
  MPI_Reduce(&unseen, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d calls on unseen communicators\n", all);
  MPI_Finalize();
  return 0;
}
