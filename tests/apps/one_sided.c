// Windows of every kind and every way to synchronise them; with an argument,
// also something put where a window has no memory of its own.
#include <mpi.h>
#include <stdio.h>

static int rank, ranks, right, left, sum;

static void Transfers(MPI_Win window) {
  int one = rank + 1, got = 0, back[2] = {0}, request_got = 0;
  MPI_Request requests[4];
  MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
  MPI_Put(&one, 1, MPI_INT, right, 0, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  MPI_Get(&got, 1, MPI_INT, left, 0, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  MPI_Accumulate(&one, 1, MPI_INT, right, 1, 1, MPI_INT, MPI_SUM, window);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
  sum += got;
  for (int i = 0; i < 3; ++i) {
    MPI_Win_lock(MPI_LOCK_SHARED, right, 0, window);
    MPI_Fetch_and_op(&one, &got, MPI_INT, right, 1, MPI_SUM, window);
    MPI_Win_flush(right, window);
    MPI_Get_accumulate(&one, 1, MPI_INT, back, 1, MPI_INT, right, 2, 1, MPI_INT,
                       MPI_REPLACE, window);
    MPI_Win_flush_local(right, window);
    MPI_Compare_and_swap(&one, &rank, back, MPI_INT, right, 3, window);
    MPI_Win_unlock(right, window);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, window);
  MPI_Rput(&one, 1, MPI_INT, right, 0, 1, MPI_INT, window, &requests[0]);
  MPI_Raccumulate(&one, 1, MPI_INT, right, 1, 1, MPI_INT, MPI_SUM, window,
                  &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Win_flush_all(window);
  MPI_Win_sync(window);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Rget(&request_got, 1, MPI_INT, left, 0, 1, MPI_INT, window, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Win_flush_local_all(window);
  MPI_Put(&one, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, window);
  MPI_Win_unlock_all(window);
  sum += request_got;
  MPI_Barrier(MPI_COMM_WORLD);
}

// Elements that lie together here and apart at the target.
static void Apart(MPI_Win window) {
  double pair[2] = {rank, 1}, back[2] = {0};
  MPI_Datatype apart;
  MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &apart);
  MPI_Type_commit(&apart);
  MPI_Win_fence(0, window);
  MPI_Accumulate(pair, 2, MPI_DOUBLE, right, 0, 1, apart, MPI_SUM, window);
  MPI_Win_fence(0, window);
  MPI_Get_accumulate(pair, 2, MPI_DOUBLE, back, 2, MPI_DOUBLE, right, 0, 1,
                     apart, MPI_MAX, window);
  MPI_Win_fence(0, window);
  MPI_Get_accumulate(NULL, 0, MPI_DOUBLE, back, 2, MPI_DOUBLE, right, 0, 1,
                     apart, MPI_NO_OP, window);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
  sum += (int)back[1];
  MPI_Type_free(&apart);
}

// Each rank opens to its left and reaches to its right.
static void PostAndStart(MPI_Win window) {
  MPI_Group all, from, to;
  int flag = 0, one = 1;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &left, &from);
  MPI_Group_incl(all, 1, &right, &to);
  for (int i = 0; i < 2; ++i) {
    MPI_Win_post(from, 0, window);
    MPI_Win_start(to, 0, window);
    MPI_Put(&one, 1, MPI_INT, right, 2, 1, MPI_INT, window);
    MPI_Win_complete(window);
    if (i == 0) MPI_Win_wait(window);
    while (i == 1 && !flag) MPI_Win_test(window, &flag);
  }
  MPI_Group_free(&from);
  MPI_Group_free(&to);
  MPI_Group_free(&all);
}

// Where it goes in attached memory is an address of the target's.
static void PutAtAddress(MPI_Win window, int* memory) {
  MPI_Aint own, there;
  MPI_Get_address(memory, &own);
  MPI_Sendrecv(&own, 1, MPI_AINT, left, 9, &there, 1, MPI_AINT, right, 9,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Win_fence(0, window);
  MPI_Put(&rank, 1, MPI_INT, right, there, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
}

int main(int argc, char** argv) {
  int memory[8] = {0}, *own, total;
  MPI_Win window;
  MPI_Comm reversed;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  right = (rank + 1) % ranks;
  left = (rank + ranks - 1) % ranks;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL,
                 MPI_COMM_WORLD, &window);
  Transfers(window);
  Apart(window);
  PostAndStart(window);
  MPI_Win_free(&window);
  // Ranks in a window are those of its communicator.
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, reversed, &own,
                   &window);
  MPI_Win_fence(0, window);
  MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  MPI_Comm_free(&reversed);
  MPI_Win_allocate_shared(4 * sizeof(int), sizeof(int), MPI_INFO_NULL,
                          MPI_COMM_WORLD, &own, &window);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, MPI_MODE_NOCHECK, window);
  MPI_Rget_accumulate(&rank, 1, MPI_INT, &memory[3], 1, MPI_INT, right, 0, 1,
                      MPI_INT, MPI_SUM, window, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Win_unlock(right, window);
  MPI_Win_free(&window);
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_attach(window, memory, sizeof memory);
  if (argc > 1) PutAtAddress(window, memory);
  MPI_Win_detach(window, memory);
  MPI_Win_free(&window);
  MPI_Reduce(&sum, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("one-sided %d\n", total);
  MPI_Finalize();
  return 0;
}
