// algorithms NAME: what libraries make of collectives, and programs of small
// conditions, with messages: `broadcast` and `reduce` along a binomial tree,
// `disseminate` in ceil(log2 N) stages, `triangle` (each rank hears from all
// below and tells all above), `summa` (each column, and each row, of a square
// sends to its row in turn), `columns`, a stencil on a grid whose columns are
// contiguous, where few ranks of a small run have all four neighbours, and
// `heap` and `ternary`, up and down a tree of two and three children a rank.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { kMost = 4096 };
static int rank, ranks;
static char out[kMost], in[kMost];

static void Send(int to) { MPI_Send(out, 64, MPI_BYTE, to, 1, MPI_COMM_WORLD); }

static void Receive(int from) {
  MPI_Recv(in, 64, MPI_BYTE, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void Exchange(int to, int from, int bytes) {
  MPI_Sendrecv(out, bytes, MPI_BYTE, to, 2, in, bytes, MPI_BYTE, from, 2,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void Broadcast(void) {
  int bit = 1;
  while (bit < ranks && (rank & bit) == 0) bit *= 2;
  if (bit < ranks) Receive(rank - bit);
  for (bit /= 2; bit > 0; bit /= 2) {
    if (rank + bit < ranks) Send(rank + bit);
  }
}

static void Reduce(void) {
  for (int bit = 1; bit < ranks; bit *= 2) {
    if ((rank & bit) != 0) {
      Send(rank - bit);
      return;
    }
    if (rank + bit < ranks) Receive(rank + bit);
  }
}

static void Disseminate(void) {
  for (int away = 1; away < ranks; away *= 2) {
    Exchange((rank + away) % ranks, (rank - away + ranks) % ranks, 8);
  }
}

static void Triangle(void) {
  for (int from = 0; from < rank; ++from) Receive(from);
  for (int to = rank + 1; to < ranks; ++to) Send(to);
}

static void Summa(void) {
  MPI_Comm row, column;
  int side = 1;
  while (side * side < ranks) ++side;
  MPI_Comm_split(MPI_COMM_WORLD, rank / side, rank % side, &row);
  MPI_Comm_split(MPI_COMM_WORLD, rank % side, rank / side, &column);
  for (int k = 0; k < side; ++k) {
    MPI_Bcast(out, 64, MPI_BYTE, k, row);
    MPI_Bcast(out, 64, MPI_BYTE, k, column);
  }
  MPI_Comm_free(&row);
  MPI_Comm_free(&column);
}

static int Block(int whole, int parts, int at) {
  return 8 * (whole / parts + (at < whole % parts ? 1 : 0));
}

static void Columns(void) {
  int side[2] = {0, 0};
  MPI_Dims_create(ranks, 2, side);
  const int x = rank % side[0], y = rank / side[0];
  const int along_x = Block(96, side[1], y), along_y = Block(60, side[0], x);
  if (x > 0) Exchange(rank - 1, rank - 1, along_x);
  if (x < side[0] - 1) Exchange(rank + 1, rank + 1, along_x);
  if (y > 0) Exchange(rank - side[0], rank - side[0], along_y);
  if (y < side[1] - 1) Exchange(rank + side[0], rank + side[0], along_y);
}

static void Heap(void) {
  const int left = 2 * rank + 1, right = 2 * rank + 2, parent = (rank - 1) / 2;
  if (left < ranks) Receive(left);
  if (right < ranks) Receive(right);
  if (rank > 0) Send(parent);
  if (rank > 0) Receive(parent);
  if (left < ranks) Send(left);
  if (right < ranks) Send(right);
}

static void Ternary(void) {
  const int first = 3 * rank + 1, end = first + 3 < ranks ? first + 3 : ranks;
  for (int child = first; child < end; ++child) Receive(child);
  if (rank > 0) Send((rank - 1) / 3);
  if (rank > 0) Receive((rank - 1) / 3);
  for (int child = first; child < end; ++child) Send(child);
}

int main(int argc, char** argv) {
  const char* name = argc > 1 ? argv[1] : "";
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int step = 0; step < 3; ++step) {
    if (strcmp(name, "broadcast") == 0) Broadcast();
    if (strcmp(name, "reduce") == 0) Reduce();
    if (strcmp(name, "disseminate") == 0) Disseminate();
    if (strcmp(name, "triangle") == 0) Triangle();
    if (strcmp(name, "summa") == 0) Summa();
    if (strcmp(name, "columns") == 0) Columns();
    if (strcmp(name, "heap") == 0) Heap();
    if (strcmp(name, "ternary") == 0) Ternary();
  }
  if (rank == 0) printf("algorithms: %s, %d ranks\n", name, ranks);
  MPI_Finalize();
  return 0;
}
