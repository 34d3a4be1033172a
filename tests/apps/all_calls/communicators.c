#include <mpi.h>

#include "collectives.h"
#include "parts.h"

// Messages around the ring of a communicator, so that peers must be
// translated to ranks in the world.
static long Ring(MPI_Comm comm) {
  int rank, size, value, got = 0;
  MPI_Request requests[2];
  if (comm == MPI_COMM_NULL) return 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  value = rank + 3;
  for (int i = 0; i < 3; ++i) {
    MPI_Irecv(&got, 1, MPI_INT, (rank + size - 1) % size, i, comm,
              &requests[0]);
    MPI_Isend(&value, 1, MPI_INT, (rank + 1) % size, i, comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    value += got;
  }
  if (rank == 0 && size > 1) {
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 9, comm, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Send(&value, 1, MPI_INT, 0, 9, comm);
  }
  MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 9, comm);
  return value + got;
}

static long UseAndFree(MPI_Comm comm, int root) {
  long sum = 0;
  if (comm == MPI_COMM_NULL) return 0;
  sum += Ring(comm);
  sum += AllCollectives(comm, root);
  MPI_Comm_free(&comm);
  return sum;
}

static MPI_Group EvenGroup(int ranks) {
  MPI_Group world, even;
  int ranges[1][3] = {{0, ranks - 1, 2}};
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_range_incl(world, 1, ranges, &even);
  MPI_Group_free(&world);
  return even;
}

long Communicators(int rank, int ranks) {
  MPI_Comm copy, informed, later, reversed, half, some, subset, group_made;
  MPI_Comm node;
  MPI_Request request;
  MPI_Group even = EvenGroup(ranks);
  long sum = 0;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &informed);
  MPI_Comm_idup(copy, &later, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  MPI_Comm_split(reversed, rank % 2, rank, &half);
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 4, 0, &some);
  MPI_Comm_create(MPI_COMM_WORLD, even, &subset);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
                      &node);
  // On the world: MPICH 4.0.2 crashes when a proper subset of any other
  // communicator is asked for.
  if (rank % 2 == 0) {
    MPI_Comm_create_group(MPI_COMM_WORLD, even, 17, &group_made);
    sum += UseAndFree(group_made, 0);
  }
  MPI_Group_free(&even);
  sum += UseAndFree(half, 0);
  sum += UseAndFree(copy, ranks - 1);
  sum += UseAndFree(reversed, 0);
  sum += UseAndFree(informed, 0);
  sum += UseAndFree(subset, 0);
  sum += UseAndFree(some, 0);
  sum += UseAndFree(later, 0);
  sum += Ring(node);
  MPI_Comm_free(&node);
  return sum % 1000003;
}

long Grids(int rank, int ranks) {
  int dims[2] = {0, 0}, periods[2] = {1, 0};
  int rows[2] = {0, 1}, columns[2] = {1, 0};
  int line[1] = {ranks - 1};
  MPI_Comm grid, row, column, most;
  long sum = 0;
  MPI_Dims_create(ranks, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Cart_sub(grid, rows, &row);
  MPI_Cart_sub(grid, columns, &column);
  for (int d = 0; d < 2; ++d) {
    int from, to, value = rank, got = -1;
    MPI_Cart_shift(grid, d, 1, &from, &to);
    MPI_Sendrecv(&value, 1, MPI_INT, to, d, &got, 1, MPI_INT, from, d, grid,
                 MPI_STATUS_IGNORE);
    sum += got * (d + 1);
  }
  // One rank too few: the last one gets no communicator.
  MPI_Cart_create(MPI_COMM_WORLD, 1, line, periods, 0, &most);
  sum += UseAndFree(row, 0);
  sum += UseAndFree(column, 0);
  sum += UseAndFree(most, 0);
  MPI_Comm_free(&grid);
  return sum % 1000003;
}

// MPI gives the handle of a freed communicator to the next one, of another
// shape; numbers go on counting.
long ReusedHandles(int rank, int ranks) {
  long sum = 0;
  for (int i = 0; i < 6; ++i) {
    MPI_Comm comm;
    if (i % 2 == 0) {
      MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    } else {
      MPI_Comm_split(MPI_COMM_WORLD, rank % (i + 1), ranks - rank, &comm);
    }
    sum += Ring(comm);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_LONG, MPI_MAX, comm);
    MPI_Comm_free(&comm);
  }
  return sum;
}
