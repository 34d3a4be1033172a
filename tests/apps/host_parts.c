// host_parts [COLORS...]: a ring, sums and another split among the ranks of
// each host, the last of a host first, and sums over the hosts' first ranks.
// With COLORS (rank r has color r modulo as many) who is together is said, not
// asked.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static MPI_Comm PartOf(int rank, int argc, char** argv) {
  MPI_Comm part;
  if (argc > 1) {
    const int color = atoi(argv[1 + rank % (argc - 1)]);
    MPI_Comm_split(MPI_COMM_WORLD, color, -rank, &part);
  } else {
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -rank,
                        MPI_INFO_NULL, &part);
  }
  return part;
}

static long Around(MPI_Comm part, long value) {
  int rank, size;
  long got = 0;
  MPI_Comm_rank(part, &rank);
  MPI_Comm_size(part, &size);
  MPI_Sendrecv(&value, 1, MPI_LONG, (rank + 1) % size, 0, &got, 1, MPI_LONG,
               (rank + size - 1) % size, 0, part, MPI_STATUS_IGNORE);
  return got;
}

int main(int argc, char** argv) {
  int rank, in_part;
  long sum = 0, all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm part = PartOf(rank, argc, argv), firsts;
  MPI_Comm_rank(part, &in_part);
  MPI_Comm_split(MPI_COMM_WORLD, in_part == 0 ? 0 : MPI_UNDEFINED, 0, &firsts);
  for (int step = 0; step < 5; ++step) {
    const long got = Around(part, 10 * step + rank);
    MPI_Allreduce(&got, &sum, 1, MPI_LONG, MPI_SUM, part);
    if (in_part == 0) MPI_Allreduce(&sum, &all, 1, MPI_LONG, MPI_SUM, firsts);
    MPI_Bcast(&all, 1, MPI_LONG, 0, part);
  }
  if (rank == 0) printf("%ld\n", all);
  if (firsts != MPI_COMM_NULL) MPI_Comm_free(&firsts);
  MPI_Comm_free(&part);
  MPI_Finalize();
  return 0;
}
