/* The last ranks, one in eight, write to a file what the others send them; a
 * window of each half's memory, of which the first rank has all. */
#include <mpi.h>
#include <stdlib.h>

static double *points, *from_all;
static const int kPoints = 9600;

static int share(int parts, int part) {
  return kPoints * (part + 1) / parts - kPoints * part / parts;
}

static void serve(MPI_Comm servers, int others, int count, int me) {
  MPI_File file;
  MPI_File_open(servers, "io_servers.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int step = 0; step < 4; ++step) {
    int n = 0;
    for (int r = 0; r < others; ++r) {
      if (r * count / others != me) continue;
      MPI_Recv(from_all + n, share(others, r), MPI_DOUBLE, r, step,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      n += share(others, r);
    }
    MPI_File_write_at_all(file, (MPI_Offset)me * kPoints * 8, from_all, n,
                          MPI_DOUBLE, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, part;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int servers = ranks / 8 > 0 ? ranks / 8 : 1, others = ranks - servers;
  points = calloc((size_t)kPoints, sizeof(double));
  from_all = calloc((size_t)kPoints, sizeof(double));
  MPI_Comm mine;
  MPI_Comm_split(MPI_COMM_WORLD, rank >= others, rank, &mine);
  MPI_Comm_rank(mine, &part);
  MPI_Win window;
  void *base;
  MPI_Win_allocate_shared(part == 0 ? (MPI_Aint)(kPoints / ranks + 2) * 8 : 0,
                          8, MPI_INFO_NULL, mine, &base, &window);
  if (rank >= others) {
    serve(mine, others, servers, part);
  } else {
    for (int step = 0; step < 4; ++step) {
      MPI_Send(points, share(others, rank), MPI_DOUBLE,
               others + rank * servers / others, step, MPI_COMM_WORLD);
    }
  }
  MPI_Win_free(&window);
  MPI_Comm_free(&mine);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) MPI_File_delete("io_servers.dat", MPI_INFO_NULL);
  MPI_Finalize();
  free(points);
  free(from_all);
  return 0;
}
