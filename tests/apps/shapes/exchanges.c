// exchanges NAME: `reverse`, each rank and the one with its bits in reverse,
// the lower one first; `shuffle`, to the rank with its bits rotated to the left
// (both need a power of two); `bruck`, an all-to-all in ceil(log2 N) stages, at
// each the blocks whose number has its bit; `gather`, Bruck's all-gather, whose
// last stage is cut short; `ring`, an all-reduce whose blocks, of which a
// remainder makes some longer, go around twice; `rows`, such blocks along the
// rows of a grid; `fan_out` and `fan_in`, a binomial tree of any number of
// ranks whose ranks get their value from the one without their highest bit.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { kMost = 1 << 16, kWhole = 103 };
static int rank, ranks;
static char out[kMost], in[kMost];

static void Exchange(int to, int bytes, int from, int more) {
  MPI_Sendrecv(out, bytes, MPI_BYTE, to, 2, in, more, MPI_BYTE, from, 2,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void Reverse(void) {
  int other = 0;
  for (int bit = 1; bit < ranks; bit *= 2) {
    other = 2 * other + ((rank & bit) != 0);
  }
  if (rank < other) {
    MPI_Send(out, 8, MPI_BYTE, other, 1, MPI_COMM_WORLD);
    MPI_Recv(in, 16, MPI_BYTE, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank > other) {
    MPI_Recv(in, 8, MPI_BYTE, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(out, 16, MPI_BYTE, other, 2, MPI_COMM_WORLD);
  }
}

static void Shuffle(void) {
  const int left = 2 * rank % ranks + 2 * rank / ranks;
  const int right = rank / 2 + rank % 2 * (ranks / 2);
  Exchange(left, 8, right, 8);
}

static void Bruck(void) {
  for (int bit = 1; bit < ranks; bit *= 2) {
    int blocks = 0;
    for (int i = 0; i < ranks; ++i) blocks += (i & bit) != 0;
    Exchange((rank + bit) % ranks, 8 * blocks, (rank - bit + ranks) % ranks,
             8 * blocks);
  }
}

static void Gather(void) {
  for (int bit = 1; bit < ranks; bit *= 2) {
    const int blocks = bit < ranks - bit ? bit : ranks - bit;
    Exchange((rank - bit + ranks) % ranks, 24 * blocks, (rank + bit) % ranks,
             24 * blocks);
  }
}

static int Block(int parts, int at) {
  at = (at % parts + parts) % parts;
  return 8 * (kWhole / parts + (at < kWhole % parts ? 1 : 0));
}

static void Ring(void) {
  const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  for (int k = 0; k < ranks - 1; ++k) {
    Exchange(next, Block(ranks, rank - k), before, Block(ranks, rank - k - 1));
  }
  for (int k = 0; k < ranks - 1; ++k) {
    Exchange(next, Block(ranks, rank + 1 - k), before, Block(ranks, rank - k));
  }
}

static void Rows(void) {
  int side[2] = {0, 0};
  MPI_Dims_create(ranks, 2, side);
  const int n = side[1], row = rank / n * n, x = rank % n;
  for (int k = 0; k < n; ++k) {
    Exchange(row + (x + n - 1) % n, Block(n, x + k), row + (x + 1) % n,
             Block(n, x + k + 1));
  }
}

static void FanOut(void) {
  int bit = 1;
  for (; bit <= rank; bit *= 2) {
  }
  if (rank > 0) {
    MPI_Recv(in, 8, MPI_BYTE, rank - bit / 2, 3, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  }
  for (; rank + bit < ranks; bit *= 2) {
    MPI_Send(out, 8, MPI_BYTE, rank + bit, 3, MPI_COMM_WORLD);
  }
}

static void FanIn(void) {
  int bit = 1, above = 1;
  while (bit < ranks) bit *= 2;
  while (above <= rank) above *= 2;
  for (; bit >= above; bit /= 2) {
    if (rank + bit >= ranks) continue;
    MPI_Recv(in, 8, MPI_BYTE, rank + bit, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (rank > 0) {
    MPI_Send(out, 8, MPI_BYTE, rank - above / 2, 3, MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(void);
  } all[] = {{"reverse", Reverse}, {"shuffle", Shuffle}, {"bruck", Bruck},
             {"gather", Gather},   {"ring", Ring},       {"rows", Rows},
             {"fan_out", FanOut},  {"fan_in", FanIn}};
  const char* name = argc > 1 ? argv[1] : "";
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int step = 0; step < 3; ++step) {
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); ++i) {
      if (strcmp(name, all[i].name) == 0) all[i].run();
    }
  }
  if (rank == 0) printf("exchanges: %s, %d ranks\n", name, ranks);
  MPI_Finalize();
  return 0;
}
