// Communicators of groups of a session, in an order of their own, made by some
// ranks only, beside others of the world.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, ranks, place = -1, from = -1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Session session;
  MPI_Group all, most;
  MPI_Comm made, turned;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
  // All but rank 0, the last one first.
  int range[1][3] = {{ranks - 1, 1, -1}};
  MPI_Group_range_incl(all, 1, range, &most);
  if (rank > 0) {
    MPI_Comm_create_from_group(most, "most", MPI_INFO_NULL,
                               MPI_ERRORS_ARE_FATAL, &made);
    MPI_Comm_rank(made, &place);
    from = rank;
    MPI_Bcast(&from, 1, MPI_INT, 0, made);
    MPI_Comm_free(&made);
  }
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
  MPI_Barrier(turned);
  MPI_Comm_free(&turned);
  MPI_Group_free(&most);
  MPI_Group_free(&all);
  MPI_Session_finalize(&session);
  if (rank == 1) printf("place %d, from %d\n", place, from);
  MPI_Finalize();
  return 0;
}
