// What is made of an intercommunicator between two halves of the ranks, four or
// a multiple, and what is done on it: two_groups WHAT.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, mine, theirs;

// With the rank of the other group that has the same place there.
static void ExchangeBetween(MPI_Comm inter) {
  int place;
  MPI_Comm_rank(inter, &place);
  MPI_Sendrecv(&mine, 1, MPI_INT, place, 1, &theirs, 1, MPI_INT, place, 1,
               inter, MPI_STATUS_IGNORE);
}

// Round a ring, and all together.
static void ExchangeAmong(MPI_Comm comm) {
  int place, size, sum;
  MPI_Comm_rank(comm, &place);
  MPI_Comm_size(comm, &size);
  MPI_Sendrecv(&mine, 1, MPI_INT, (place + 1) % size, 1, &theirs, 1, MPI_INT,
               (place + size - 1) % size, 1, comm, MPI_STATUS_IGNORE);
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
  MPI_Bcast(&sum, 1, MPI_INT, size - 1, comm);
}

static void SplitGrid(MPI_Comm comm) {
  int size, periods[2] = {0, 0}, remain[2] = {1, 0}, dims[2] = {2, 0};
  MPI_Comm_size(comm, &size);
  dims[1] = size / 2;
  MPI_Comm grid, column;
  MPI_Cart_create(comm, 2, dims, periods, 0, &grid);
  MPI_Cart_sub(grid, remain, &column);
  ExchangeAmong(column);
  MPI_Comm_free(&column);
  MPI_Comm_free(&grid);
}

static void MakeFromGroup(MPI_Comm inter) {
  const int first = 0;
  MPI_Group group, some;
  MPI_Comm_group(inter, &group);
  MPI_Group_incl(group, 1, &first, &some);
  MPI_Comm made;
  MPI_Comm_create(inter, some, &made);
  if (made != MPI_COMM_NULL) {
    ExchangeBetween(made);
    MPI_Comm_free(&made);
  }
  MPI_Group_free(&some);
  MPI_Group_free(&group);
}

// From and to a rank of the even half, then of the other one.
static void WithRoots(MPI_Comm inter, int odd) {
  int place, size, sum = 0, all[256] = {0};
  MPI_Comm_rank(inter, &place);
  MPI_Comm_size(inter, &size);
  for (int other = 0; other < 2; ++other) {
    const int at = other ? size - 1 : 0;
    const int of_own = place == at ? MPI_ROOT : MPI_PROC_NULL;
    const int root = odd == other ? of_own : at;
    MPI_Bcast(&mine, 1, MPI_INT, root, inter);
    MPI_Reduce(&mine, &sum, 1, MPI_INT, MPI_SUM, root, inter);
    MPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, root, inter);
  }
}

static void Do(const char* what, MPI_Comm inter, int odd) {
  MPI_Comm made = MPI_COMM_NULL, again;
  if (strcmp(what, "collective") == 0) {
    const int root = rank < 2 ? MPI_ROOT : MPI_PROC_NULL;
    MPI_Barrier(inter);
    MPI_Bcast(&mine, 1, MPI_INT, odd ? 0 : root, inter);
    ExchangeBetween(inter);
  } else if (strcmp(what, "roots") == 0) {
    WithRoots(inter, odd);
    ExchangeBetween(inter);
  } else if (strcmp(what, "messages") == 0) {
    ExchangeBetween(inter);
  } else if (strcmp(what, "duplicate") == 0) {
    MPI_Comm_dup(inter, &made);
    ExchangeBetween(made);
  } else if (strcmp(what, "merge") == 0) {
    MPI_Intercomm_merge(inter, !odd, &made);
    ExchangeAmong(made);
  } else if (strcmp(what, "alike") == 0) {
    MPI_Intercomm_merge(inter, 1, &made);
    ExchangeAmong(made);
    MPI_Comm_dup(made, &again);
    ExchangeAmong(again);
    SplitGrid(again);
    MPI_Comm_free(&again);
  } else if (strcmp(what, "split") == 0) {
    MPI_Comm_split(inter, rank / 2 % 2, -rank, &made);
    ExchangeBetween(made);
  } else if (strcmp(what, "create") == 0) {
    MakeFromGroup(inter);
  }
  if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  mine = rank;
  const char* what = argc > 1 ? argv[1] : "";
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  // The group with the last rank first, which has the lowest one, too.
  const int alike = strcmp(what, "alike") == 0;
  const int odd = alike ? (rank + 1) % 4 / 2 == 0 : rank % 2;
  const int leader = alike ? ranks - 1 - odd : 1 - odd;
  MPI_Comm half, inter;
  MPI_Comm_split(MPI_COMM_WORLD, odd, alike ? -rank : rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, leader, 5, &inter);
  Do(what, inter, odd);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
  if (rank == 0) printf("%d\n", theirs);
  MPI_Finalize();
  return 0;
}
