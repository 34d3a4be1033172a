// left jump|throw: an error handler that leaves the call by longjmp or an
// exception, as test suites do; from calls that come for the first time and
// from one that has come many times before.
#include <mpi.h>

#include <csetjmp>
#include <cstdio>
#include <cstring>

namespace {

bool jumps = false;
std::jmp_buf back;

void Leave(MPI_Comm*, int*, ...) {
  if (jumps) std::longjmp(back, 1);
  throw 1;
}

template <class F>
bool Leaves(F f) {
  if (jumps) {
    if (setjmp(back) != 0) return true;
    f();
    return false;
  }
  try {
    f();
  } catch (int) {
    return true;
  }
  return false;
}

// Farther down the stack than what was left.
[[gnu::noinline]] int SumDeeper(int value) {
  volatile char room[512] = {};
  int sum = room[0];
  MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return sum + room[1];
}

}  // namespace

int main(int argc, char** argv) {
  jumps = argc > 1 && std::strcmp(argv[1], "jump") == 0;
  MPI_Init(&argc, &argv);
  int rank = 0, left = 0, sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(Leave, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  char in[64], out[64] = {};
  for (int i = 0; i < 20; ++i) {
    const int nobody = i == 10 ? 99 : MPI_PROC_NULL;
    left +=
        Leaves([&] { MPI_Send(out, 1, MPI_BYTE, nobody, 0, MPI_COMM_WORLD); });
    sum += SumDeeper(i);
  }
  for (int i = 0; i < 20; ++i) {
    // More than there is room for.
    MPI_Request sent;
    MPI_Isend(out, i == 12 ? 64 : 4, MPI_BYTE, rank, 1, MPI_COMM_WORLD, &sent);
    left += Leaves([&] {
      MPI_Recv(in, 4, MPI_BYTE, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    });
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    sum += SumDeeper(i);
  }
  if (rank == 0) std::printf("%d left, %d\n", left, sum);
  MPI_Finalize();
  return 0;
}
