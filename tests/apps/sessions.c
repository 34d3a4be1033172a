// A program without MPI_Init: two sessions, a communicator of each made from
// groups, one of them the other way round.
#include <mpi.h>
#include <stdio.h>

static int Ring(MPI_Comm comm, int tag) {
  int rank, ranks, got = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  for (int i = 0; i < 4; ++i) {
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % ranks, tag, &got, 1, MPI_INT,
                 (rank + ranks - 1) % ranks, tag, comm, MPI_STATUS_IGNORE);
  }
  MPI_Allreduce(MPI_IN_PLACE, &got, 1, MPI_INT, MPI_SUM, comm);
  return got;
}

int main(void) {
  MPI_Session first, second;
  MPI_Group everybody, turned;
  MPI_Comm comm, back;
  int ranks, rank;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &first);
  MPI_Group_from_session_pset(first, "mpi://WORLD", &everybody);
  MPI_Comm_create_from_group(everybody, "ranks", MPI_INFO_NULL,
                             MPI_ERRORS_RETURN, &comm);
  int sum = Ring(comm, 1);
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &second);
  MPI_Group_size(everybody, &ranks);
  MPI_Group_rank(everybody, &rank);
  MPI_Group_range_incl(everybody, 1, (int[][3]){{ranks - 1, 0, -1}}, &turned);
  MPI_Comm_create_from_group(turned, "turned", MPI_INFO_NULL, MPI_ERRORS_RETURN,
                             &back);
  sum += Ring(back, 2);
  if (rank == 0) printf("sessions %d\n", sum);
  MPI_Comm_free(&back);
  MPI_Comm_free(&comm);
  MPI_Group_free(&turned);
  MPI_Group_free(&everybody);
  MPI_Session_finalize(&second);
  MPI_Session_finalize(&first);
  return 0;
}
