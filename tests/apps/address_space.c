// A window over all addresses: sizes that fit an MPI_Aint, and no trace.
#include <mpi.h>
#include <stdint.h>

int main(int argc, char** argv) {
  const MPI_Aint sizes[] = {INT64_MAX,         INT64_MAX - 4095,
                            (MPI_Aint)1 << 62, ((MPI_Aint)1 << 59) + 1,
                            (MPI_Aint)1 << 59, 4096};
  MPI_Init(&argc, &argv);
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    MPI_Win window;
    MPI_Win_create((void*)4096, sizes[i], 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                   &window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
  }
  MPI_Finalize();
  return 0;
}
