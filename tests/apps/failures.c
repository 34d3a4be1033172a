// Calls that fail, in a program that lives with it: they make, free and
// send nothing, and what comes after them goes on as if they had not been made.
// Rank 0 prints how many failed on all ranks.
#include <mpi.h>
#include <stdio.h>

static int rank, ranks;
static long failed, sum;

static void Try(int result) { failed += result != MPI_SUCCESS; }

// The same call with an address where nothing lies: one of four.
static void Requests(int tags) {
  const int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
  for (int i = 0; i < 40; ++i) {
    MPI_Request requests[2];
    int in = 0, out = rank + i;
    // Numbers that follow no rule, where they are many.
    const int tag = i * i * 7919 % tags;
    MPI_Irecv(&in, 1, MPI_INT, left, tag, MPI_COMM_WORLD, &requests[0]);
    for (int last = i % 4 != 3; last < 2; ++last) {
      Try(MPI_Isend(last ? &out : NULL, 1, MPI_INT, right, tag, MPI_COMM_WORLD,
                    &requests[1]));
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    sum += in;
  }
}

// Arguments that MPI refuses: from a place of their own, and from one that
// makes the same call well three times of four.
static void Refused(int tags) {
  const int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
  for (int i = 0; i < 40; ++i) {
    int in = 0, out = rank + i;
    const int tag = i * i * 7919 % tags;
    Try(MPI_Send(&out, 1, MPI_INT, ranks + i, tag, MPI_COMM_WORLD));
    Try(MPI_Recv(&in, 1, MPI_INT, left, -7 - i, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE));
    Try(MPI_Bcast(&out, 1, MPI_INT, ranks, MPI_COMM_WORLD));
    for (int last = i % 4 != 3; last < 2; ++last) {
      Try(MPI_Sendrecv(last ? &out : NULL, 1, MPI_INT, right, tag, &in, 1,
                       MPI_INT, left, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
    sum += in;
  }
}

static void Persistent(void) {
  MPI_Request request, other;
  int in = 0, out = rank;
  MPI_Recv_init(&in, 1, MPI_INT, (rank + 1) % ranks, 5, MPI_COMM_WORLD,
                &request);
  for (int i = 0; i < 3; ++i) {
    Try(MPI_Send_init(NULL, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &other));
    MPI_Send_init(&out, 1, MPI_INT, (rank + ranks - 1) % ranks, 5,
                  MPI_COMM_WORLD, &other);
    MPI_Start(&request);
    MPI_Start(&other);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Wait(&other, MPI_STATUS_IGNORE);
    MPI_Request_free(&other);
    sum += in;
  }
  MPI_Request_free(&request);
}

// One rank looks for a file that is not there; then all write one together.
static void Files(void) {
  MPI_File file;
  int values[4] = {rank};
  if (rank == 0) {
    Try(MPI_File_open(MPI_COMM_SELF, "absent", MPI_MODE_RDONLY, MPI_INFO_NULL,
                      &file));
  }
  MPI_File_open(MPI_COMM_WORLD, "failures.dat",
                MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL, &file);
  MPI_File_write_at_all(file, (MPI_Offset)sizeof values * rank, values, 4,
                        MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
}

static void Windows(void) {
  MPI_Win window;
  int value = 0, one = 1;
  Try(MPI_Win_create(&value, -4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &window));
  MPI_Win_create(&value, 4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  MPI_Put(&one, 1, MPI_INT, (rank + 1) % ranks, 0, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
#ifndef OPEN_MPI  // which has freed half of it before it fails
  // What cannot be freed, being locked, is used on.
  MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, window);
  Try(MPI_Win_free(&window));
  MPI_Put(&one, 1, MPI_INT, rank, 0, 1, MPI_INT, window);
  MPI_Win_unlock(rank, window);
#endif
  MPI_Win_free(&window);
  sum += value;
}

static void Communicators(void) {
  MPI_Comm made, world = MPI_COMM_WORLD;
  const int much = 9999, no = 0;
  Try(MPI_Comm_free(&world));
  MPI_Barrier(MPI_COMM_WORLD);
  Try(MPI_Cart_create(MPI_COMM_WORLD, 1, &much, &no, 0, &made));
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &made);
  MPI_Barrier(made);
  MPI_Comm_free(&made);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  Requests(1);
  Requests(1009);
  Refused(1);
  Refused(1009);
  Persistent();
  Files();
  Windows();
  Communicators();
  long mine[2] = {failed, sum}, all[2];
  MPI_Reduce(mine, all, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%ld calls failed, sum %ld\n", all[0], all[1]);
  MPI_Finalize();
  return 0;
}
