// Calls that fail, in a program that lives with it: what they would have
// returned is garbage that nobody may look at.
#include <mpi.h>
#include <stdio.h>

static int errors;
static void Count(MPI_Comm* comm, int* code, ...) {
  (void)comm;
  (void)code;
  ++errors;
}

int main(int argc, char** argv) {
  int value = 0, failed = 0;
  MPI_Comm made = (MPI_Comm)0x7777777;
  MPI_Request request = (MPI_Request)0x5555555;
  MPI_Errhandler handler;
  MPI_Init(&argc, &argv);
  MPI_Comm_create_errhandler(Count, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  failed += MPI_Isend(&value, 1, MPI_INT, 9999, 0, MPI_COMM_WORLD, &request) !=
            MPI_SUCCESS;
  failed += MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){9999}, (int[]){0}, 0,
                            &made) != MPI_SUCCESS;
  // Handles that are none: the handler hears of each once.
  failed += MPI_Send(&value, 1, (MPI_Datatype)0x123, 0, 0, MPI_COMM_WORLD) !=
            MPI_SUCCESS;
  failed += MPI_Barrier((MPI_Comm)0x456) != MPI_SUCCESS;
  failed += MPI_Cart_sub(MPI_COMM_WORLD, (int[]){1}, &made) != MPI_SUCCESS;
  int seen[2] = {failed, errors}, all[2], rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Reduce(seen, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  // One rank alone: the launcher may mix what several print.
  if (rank == 0) printf("%d calls failed, %d errors handled\n", all[0], all[1]);
  MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_dup(MPI_COMM_WORLD, &made);
  MPI_Barrier(made);
  MPI_Comm_free(&made);
  MPI_Finalize();
  return 0;
}
