/* held STEPS FILE: ranks pass numbers round a ring and sum them up, STEPS
 * times; then they poll until FILE is there, and do it all again. Whoever
 * watches a run in the middle makes FILE when it has seen enough; the calls and
 * what is printed do not depend on when. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void steps(int count, long* sum) {
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < count; ++i) {
    int mine = rank + i, theirs = 0, all = 0;
    MPI_Sendrecv(&mine, 1, MPI_INT, (rank + 1) % size, 7, &theirs, 1, MPI_INT,
                 (rank + size - 1) % size, 7, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Allreduce(&theirs, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    *sum += all;
  }
}

int main(int argc, char** argv) {
  int rank = 0, flag = 0;
  long sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc != 3) MPI_Abort(MPI_COMM_WORLD, 2);
  steps(atoi(argv[1]), &sum);
  while (access(argv[2], F_OK) != 0) {
    MPI_Iprobe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  }
  steps(atoi(argv[1]), &sum);
  if (rank == 0) printf("%ld\n", sum);
  MPI_Finalize();
  return 0;
}
