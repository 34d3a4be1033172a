// Two groups that talk through intercommunicators of one size, with arguments
// that are not significant left as garbage, and handles that come again.
#include <mpi.h>
#include <stdio.h>

// Nobody may look at it.
#define GARBAGE ((MPI_Datatype)0x12345678)

static void GatherToTheOtherSide(MPI_Comm inter, int sends, int local_rank) {
  int value = 1, all[64];
  if (sends) {
    MPI_Gather(&value, 1, MPI_INT, NULL, 1, GARBAGE, 0, inter);
  } else {
    MPI_Gather(NULL, 0, MPI_INT, all, 1, MPI_INT,
               local_rank == 0 ? MPI_ROOT : MPI_PROC_NULL, inter);
  }
}

int main(int argc, char** argv) {
  int rank, local_rank;
  MPI_Comm half, inter, merged, copy;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Comm_rank(half, &local_rank);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &inter);
  // Numbered after the intercommunicator, used before it.
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Barrier(copy);
  GatherToTheOtherSide(inter, rank % 2, local_rank);
  MPI_Intercomm_merge(inter, rank % 2, &merged);
  MPI_Barrier(merged);
  MPI_Comm_disconnect(&inter);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 6, &inter);
  MPI_Barrier(inter);
  MPI_Comm_free(&merged);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&half);
  MPI_Finalize();
  // One rank alone: the launcher may mix what several print.
  if (rank == 0) printf("done\n");
  return 0;
}
