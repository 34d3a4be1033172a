// Arguments that MPI does not look at, left unset or as real as any: the
// way to the other group where a rank does not lead, a side that has no share,
// types of which nothing goes, what MPI_NO_OP would have taken.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

// Nobody may look at it.
#define GARBAGE ((MPI_Datatype)0)

static int local_rank, odd;

// What this rank gives for the root, where the odd group talks to the first of
// the even.
static int RootOfEven(void) {
  if (odd) return 0;
  return local_rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
}

// type: what is given where it does not matter.
static int Collectives(MPI_Comm inter, int count, MPI_Datatype type) {
  const int root = RootOfEven();
  const int null = root == MPI_PROC_NULL, shares = root >= 0;
  int value[8] = {odd + 1}, all[8] = {0}, sum = 0;
  const int n = null ? count : 2;
  const MPI_Datatype t = null ? type : MPI_INT;
  MPI_Bcast(value, n, t, root, inter);
  MPI_Reduce(value, all, n, t, MPI_SUM, root, inter);
  for (int i = 0; i < 8; ++i) sum += all[i];
  MPI_Gather(value, shares ? 1 : count, shares ? MPI_INT : type, all, 1,
             root == MPI_ROOT ? MPI_INT : type, root, inter);
  MPI_Scatter(all, 1, root == MPI_ROOT ? MPI_INT : type, value,
              shares ? 1 : count, shares ? MPI_INT : type, root, inter);
  for (int i = 0; i < 8; ++i) sum += all[i];
  return sum;
}

static int ToPartners(int rank, int size) {
  int* counts = calloc((size_t)size, sizeof *counts);
  int* places = calloc((size_t)size, sizeof *places);
  MPI_Datatype* types = calloc((size_t)size, sizeof *types);
  int mine = rank, theirs = -1;
  counts[rank ^ 1] = 1;
  types[rank ^ 1] = MPI_INT;
  MPI_Alltoallw(&mine, counts, places, types, &theirs, counts, places, types,
                MPI_COMM_WORLD);
  free(counts);
  free(places);
  free(types);
  return theirs;
}

static int FetchFrom(int partner) {
  MPI_Win window;
  int *mine, got = 0;
  MPI_Win_allocate(sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD,
                   &mine, &window);
  *mine = 5;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, window);
  MPI_Get_accumulate(NULL, 0, GARBAGE, &got, 1, MPI_INT, partner, 0, 1, MPI_INT,
                     MPI_NO_OP, window);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  return got;
}

int main(int argc, char** argv) {
  int rank, size, sum = 0;
  MPI_Comm half, inter, way = (MPI_Comm)0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  odd = rank % 2;
  MPI_Comm_split(MPI_COMM_WORLD, odd, rank, &half);
  MPI_Comm_rank(half, &local_rank);
  if (local_rank == 0) way = MPI_COMM_WORLD;
  MPI_Intercomm_create(half, 0, way, 1 - odd, 7, &inter);
  for (int i = 0; i < 3; ++i) {
    sum += Collectives(inter, 0, GARBAGE);
    sum += Collectives(inter, 777, MPI_INT);
  }
  sum += ToPartners(rank, size);
  sum += FetchFrom(rank ^ 1);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
  if (rank == 0) printf("%d\n", sum);
  MPI_Finalize();
  return 0;
}
