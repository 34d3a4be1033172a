// A halo of edges and corners on a square of ranks that ends at its sides.
// Each neighbour that there may be has a call site of its own behind a
// condition, and its receive is waited for by itself; one step exchanges with
// all of them, the other gives to the upper ones and takes from the lower.
#include <mpi.h>
#include <stdio.h>

enum { kMost = 8 };
static int side, at[2];
static MPI_Request sends[kMost], receives[kMost];
static int sent, received, waited;
static char out[64], in[kMost][64];

// The rank there, or -1 where the square ends.
static int There(int x, int y) {
  const int to[2] = {at[0] + x, at[1] + y};
  if (to[0] < 0 || to[0] >= side || to[1] < 0 || to[1] >= side) return -1;
  return to[1] * side + to[0];
}

// One line of code, and so one call site, for each neighbour.
#define RECEIVE(x, y, bytes)                                                 \
  if (There(x, y) >= 0) {                                                    \
    MPI_Irecv(in[received], bytes, MPI_CHAR, There(x, y), 1, MPI_COMM_WORLD, \
              &receives[received]);                                          \
    ++received;                                                              \
  }
#define SEND(x, y, bytes)                                           \
  if (There(x, y) >= 0) {                                           \
    MPI_Isend(out, bytes, MPI_CHAR, There(x, y), 1, MPI_COMM_WORLD, \
              &sends[sent]);                                        \
    ++sent;                                                         \
  }
#define WAIT(x, y, bytes)                             \
  if (There(x, y) >= 0) {                             \
    MPI_Wait(&receives[waited++], MPI_STATUS_IGNORE); \
  }
#define LOWER(f) f(0, -1, 64) f(-1, 0, 64) f(-1, -1, 4) f(1, -1, 4)
#define UPPER(f) f(0, 1, 64) f(1, 0, 64) f(1, 1, 4) f(-1, 1, 4)

static void Begin(void) {
  sent = received = waited = 0;
  for (int i = 0; i < kMost; ++i) sends[i] = MPI_REQUEST_NULL;
}

static void Everywhere(void) {
  Begin();
  LOWER(RECEIVE);
  UPPER(RECEIVE);
  LOWER(SEND);
  UPPER(SEND);
  MPI_Waitall(kMost, sends, MPI_STATUSES_IGNORE);
  LOWER(WAIT);
  UPPER(WAIT);
}

static void Upwards(void) {
  Begin();
  LOWER(RECEIVE);
  UPPER(SEND);
  MPI_Waitall(kMost, sends, MPI_STATUSES_IGNORE);
  LOWER(WAIT);
}

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  while (side * side < ranks) ++side;
  at[0] = rank % side;
  at[1] = rank / side;
  for (int step = 0; step < 3; ++step) {
    Everywhere();
    Upwards();
  }
  if (rank == 0) printf("open_halo: %d ranks\n", ranks);
  MPI_Finalize();
  return 0;
}
