// groups STEPS [SPLIT [silent]]: no collective on the world between MPI_Init
// and MPI_Finalize. Messages around a ring of all ranks; with SPLIT around one
// of the ranks below it and one of those from it on, and sums over each part,
// whose communicator only its members make. With "silent" rank SPLIT makes no
// call at all in between.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static long Around(int first, int members, int position, int step, long value) {
  const int next = first + (position + 1) % members;
  const int previous = first + (position + members - 1) % members;
  long got = 0;
  MPI_Sendrecv(&value, 1, MPI_LONG, next, step % 3, &got, 1, MPI_LONG, previous,
               step % 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return (3 * value + got) % 1000003;
}

// The communicator of ranks first..first + members - 1.
static MPI_Comm PartOf(int first, int members) {
  MPI_Group world, part;
  MPI_Comm comm;
  int range[1][3] = {{first, first + members - 1, 1}};
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_range_incl(world, 1, range, &part);
  MPI_Comm_create_group(MPI_COMM_WORLD, part, 0, &comm);
  MPI_Group_free(&part);
  MPI_Group_free(&world);
  return comm;
}

int main(int argc, char** argv) {
  const int steps = argc > 1 ? atoi(argv[1]) : 50;
  const int split = argc > 2 ? atoi(argv[2]) : 0;
  const int silent = argc > 3;
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (silent && rank == split) {
    MPI_Finalize();
    return 0;
  }
  long value = rank + 1;
  int first = 0, members = ranks;
  MPI_Comm comm = MPI_COMM_NULL;
  if (split > 0) {
    first = rank < split ? 0 : split + silent;
    members = rank < split ? split : ranks - first;
    comm = PartOf(first, members);
  }
  for (int step = 0; step < steps; ++step) {
    value = Around(first, members, rank - first, step, value);
    long sum = value;
    if (comm != MPI_COMM_NULL && step % 2 == 0) {
      MPI_Allreduce(&value, &sum, 1, MPI_LONG, MPI_SUM, comm);
    }
    value = (value + sum) % 1000003;
  }
  if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  MPI_Finalize();
  if (rank == 0) printf("rank 0 of %d ends at %ld\n", ranks, value);
  return 0;
}
