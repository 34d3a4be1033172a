/* Groups of about the root of all ranks: what they have together is summed at
 * the first of each, in place, and by these among themselves. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv) {
  enum { kValues = 257 };
  static float values[kValues];
  int me, ranks, size = 1, mine;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  while (size * size < ranks) ++size;
  MPI_Comm group, leaders;
  MPI_Comm_split(MPI_COMM_WORLD, me / size, me, &group);
  MPI_Comm_rank(group, &mine);
  MPI_Comm_split(MPI_COMM_WORLD, mine == 0 ? 1 : MPI_UNDEFINED, me, &leaders);
  for (int step = 0; step < 10; ++step) {
    if (mine == 0) {
      MPI_Reduce(MPI_IN_PLACE, values, kValues, MPI_FLOAT, MPI_SUM, 0, group);
      MPI_Allreduce(MPI_IN_PLACE, values, kValues, MPI_FLOAT, MPI_SUM, leaders);
    } else {
      MPI_Reduce(values, NULL, kValues, MPI_FLOAT, MPI_SUM, 0, group);
    }
    MPI_Bcast(values, kValues, MPI_FLOAT, 0, group);
  }
  if (mine == 0) MPI_Comm_free(&leaders);
  MPI_Comm_free(&group);
  MPI_Finalize();
  return 0;
}
