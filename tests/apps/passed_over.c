// Calls that a replay passes over, and what follows from them: windows, files
// and messages on a communicator made from groups, and an intercommunicator
// whose leaders alone have that communicator. Four ranks and more.
#include <mpi.h>
#include <stdio.h>

static int rank, sum;

// Of ranks 0 and 1; nothing on the others.
static MPI_Comm MadeFromGroups(MPI_Comm* inter) {
  MPI_Group world, own, other;
  MPI_Comm both;
  int members[2] = {rank, 1 - rank};
  if (rank > 1) return MPI_COMM_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &members[0], &own);
  MPI_Group_incl(world, 1, &members[1], &other);
  MPI_Intercomm_create_from_groups(own, 0, other, 0, "passed_over",
                                   MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, inter);
  MPI_Intercomm_merge(*inter, rank, &both);
  MPI_Group_free(&own);
  MPI_Group_free(&other);
  MPI_Group_free(&world);
  return both;
}

static void UseObjects(MPI_Comm both) {
  MPI_Win window;
  MPI_File file;
  int* memory;
  const int value = rank + 5;
  MPI_Win_allocate(sizeof *memory, 1, MPI_INFO_NULL, both, &memory, &window);
  MPI_Win_fence(0, window);
  MPI_Put(&value, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  sum += *memory;
  MPI_Win_free(&window);
  MPI_File_open(both, "passed_over.out",
                MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL, &file);
  MPI_File_write_at_all(file, rank * (int)sizeof value, &value, 1, MPI_INT,
                        MPI_STATUS_IGNORE);
  MPI_File_close(&file);
}

int main(int argc, char** argv) {
  MPI_Comm half, inter, across;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Comm both = MadeFromGroups(&inter);
  if (both != MPI_COMM_NULL) UseObjects(both);
  MPI_Intercomm_create(half, 0, both, 1 - rank % 2, 5, &across);
  int value = 0;
  MPI_Allreduce(&rank, &value, 1, MPI_INT, MPI_SUM, across);
  MPI_Comm_free(&across);
  sum += value;
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, half);
  if (both != MPI_COMM_NULL) {
    MPI_Comm_free(&both);
    MPI_Comm_free(&inter);
  }
  // One whose leaders can be replayed.
  MPI_Intercomm_create(half, 0, rank < 2 ? MPI_COMM_WORLD : MPI_COMM_NULL,
                       1 - rank % 2, 6, &across);
  MPI_Barrier(across);
  MPI_Comm_free(&across);
  MPI_Comm_free(&half);
  if (rank == 0) printf("passed_over: sum %d\n", sum);
  MPI_Finalize();
  return 0;
}
