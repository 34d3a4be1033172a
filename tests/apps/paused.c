// paused: what a program does with its objects while recording is paused: a
// datatype and a communicator whose handles come again for others, a
// communicator that is used again later, requests and regions that end or begin
// there.
#include <mpi.h>
#include <stdio.h>

#include "runtime/api/ranksight_optional.h"

static int rank, size, sum;

// Its calls lie between two that nothing else looks like.
static void Pause(void) {
  ranksight_optional_pause();
  MPI_Send(&sum, 1001, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
}
static void Resume(void) {
  MPI_Send(&sum, 1002, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  ranksight_optional_resume();
}

static void Objects(void) {
  static int buffer[500];
  MPI_Datatype small, large;
  MPI_Comm half, kept, turned;
  MPI_Type_contiguous(10, MPI_INT, &small);
  MPI_Type_commit(&small);
  MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &half);
  MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &kept);
  MPI_Bcast(buffer, 1, small, 0, half);
  Pause();
  MPI_Type_free(&small);
  MPI_Comm_free(&half);
  MPI_Type_contiguous(500, MPI_INT, &large);
  MPI_Type_commit(&large);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &half);
  buffer[0] = rank;
  MPI_Bcast(buffer, 1, MPI_INT, 0, half);
  sum += buffer[0];
  MPI_Comm_free(&half);
  Resume();
  MPI_Bcast(buffer, 1, large, 0, MPI_COMM_WORLD);
  MPI_Type_free(&large);
  // The next that is recorded, whatever its handle was.
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
  MPI_Bcast(buffer, 1, MPI_INT, 0, turned);
  MPI_Bcast(buffer, 1, MPI_INT, 0, kept);
  sum += buffer[0];
  MPI_Comm_free(&turned);
  MPI_Comm_free(&kept);
}

static void Requests(void) {
  const int next = (rank + 1) % size, last = (rank + size - 1) % size;
  int in[2] = {0, 0};
  MPI_Request across, early, late;
  MPI_Irecv(&in[0], 1, MPI_INT, last, 1, MPI_COMM_WORLD, &early);
  MPI_Irecv(&in[1], 1, MPI_INT, last, 2, MPI_COMM_WORLD, &across);
  MPI_Send(&rank, 1, MPI_INT, next, 1, MPI_COMM_WORLD);
  MPI_Send(&rank, 1, MPI_INT, next, 2, MPI_COMM_WORLD);
  Pause();
  MPI_Wait(&early, MPI_STATUS_IGNORE);
  sum += in[0];
  MPI_Irecv(&in[0], 1, MPI_INT, last, 9, MPI_COMM_WORLD, &late);
  MPI_Send(&rank, 1, MPI_INT, next, 9, MPI_COMM_WORLD);
  MPI_Wait(&late, MPI_STATUS_IGNORE);
  Resume();
  MPI_Wait(&across, MPI_STATUS_IGNORE);
  sum += in[0] + in[1];
  for (int i = 0; i < 6; ++i) {
    MPI_Irecv(&in[0], 1, MPI_INT, last, 3 + i, MPI_COMM_WORLD, &late);
    MPI_Send(&rank, 1, MPI_INT, next, 3 + i, MPI_COMM_WORLD);
    MPI_Wait(&late, MPI_STATUS_IGNORE);
    sum += in[0];
  }
}

static void Regions(void) {
  ranksight_optional_region_begin("setup");
  MPI_Barrier(MPI_COMM_WORLD);
  Pause();
  ranksight_optional_region_end("setup");
  ranksight_optional_region_begin("solve");
  Resume();
  MPI_Barrier(MPI_COMM_WORLD);
  ranksight_optional_region_end("solve");
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 3; ++i) {
    Objects();
    Requests();
    Regions();
  }
  if (rank == 0) printf("%d\n", sum);
  MPI_Finalize();
  return 0;
}
