// Processes that start two more of the program, which tell them their ranks.
#include <mpi.h>
#include <stdio.h>

static void Parent(char* program, int rank) {
  MPI_Comm children;
  int told, sum = 0;
  MPI_Comm_spawn(program, MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                 &children, MPI_ERRCODES_IGNORE);
  for (int child = 0; rank == 0 && child < 2; ++child) {
    MPI_Recv(&told, 1, MPI_INT, child, 0, children, MPI_STATUS_IGNORE);
    sum += told;
  }
  if (rank == 0) printf("told %d\n", sum);
  MPI_Comm_disconnect(&children);
}

static void Child(MPI_Comm parents, int rank) {
  const int told = rank + 5;
  MPI_Send(&told, 1, MPI_INT, 0, 0, parents);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_disconnect(&parents);
}

int main(int argc, char** argv) {
  MPI_Comm parents;
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&parents);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (parents == MPI_COMM_NULL) {
    Parent(argv[0], rank);
  } else {
    Child(parents, rank);
  }
  MPI_Finalize();
  return 0;
}
