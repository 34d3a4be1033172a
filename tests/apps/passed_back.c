/* Blocks of a triangle are solved from the last to the first: who has one
 * passes on to who has the one before, and tells all. Ranks see that as loops
 * of unlike steps, in which the end of the program stands, too. */
#include <mpi.h>
#include <stdlib.h>

enum { kBlocks = 20, kSize = 16 };

static int owner(int block, int ranks) { return block % ranks; }

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double *all = calloc(kBlocks * kSize, sizeof *all), time = 0, longest;
  for (int block = kBlocks - 1; block >= 0; --block) {
    int first = block * kSize, root = owner(block, ranks);
    if (block > 0 && owner(block - 1, ranks) != root) {
      if (rank == root) {
        MPI_Send(all, first, MPI_DOUBLE, owner(block - 1, ranks), block,
                 MPI_COMM_WORLD);
      }
      if (rank == owner(block - 1, ranks)) {
        MPI_Recv(all, first, MPI_DOUBLE, root, block, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
      }
    }
    MPI_Bcast(all + first, kSize, MPI_DOUBLE, root, MPI_COMM_WORLD);
  }
  MPI_Reduce(&time, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  free(all);
  return 0;
}
