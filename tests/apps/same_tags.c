// Messages with equal tags between the same ranks on two communicators,
// received in another order than sent, with other sizes.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kLarge = 300000, kMiddle = 70000, kSmall = 8 };

static char *sent, *received;

// A ring the one way on `a` and the other way on `b`, whose ranks are reversed.
struct Rings {
  MPI_Comm a, b;
  int to_a, from_a, to_b, from_b;
};

static void ReceiveBlocking(const struct Rings* r, int small) {
  MPI_Request sends[2];
  MPI_Isend(sent, small, MPI_CHAR, r->to_a, 0, r->a, &sends[0]);
  MPI_Isend(sent, kLarge, MPI_CHAR, r->to_b, 0, r->b, &sends[1]);
  MPI_Recv(received, kLarge, MPI_CHAR, r->from_b, 0, r->b, MPI_STATUS_IGNORE);
  MPI_Recv(received, small, MPI_CHAR, r->from_a, 0, r->a, MPI_STATUS_IGNORE);
  MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
}

static void ReceiveByRequests(const struct Rings* r) {
  MPI_Request q[4];
  MPI_Irecv(received, kSmall, MPI_CHAR, r->from_a, 0, r->a, &q[0]);
  MPI_Irecv(received + kSmall, kMiddle, MPI_CHAR, r->from_b, 0, r->b, &q[1]);
  MPI_Isend(sent, kMiddle, MPI_CHAR, r->to_b, 0, r->b, &q[2]);
  MPI_Isend(sent, kSmall, MPI_CHAR, r->to_a, 0, r->a, &q[3]);
  MPI_Wait(&q[1], MPI_STATUS_IGNORE);
  MPI_Wait(&q[2], MPI_STATUS_IGNORE);
  MPI_Wait(&q[0], MPI_STATUS_IGNORE);
  MPI_Wait(&q[3], MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  struct Rings rings;
  MPI_Comm_dup(MPI_COMM_WORLD, &rings.a);
  MPI_Comm_split(MPI_COMM_WORLD, 0, ranks - rank, &rings.b);
  rings.to_a = (rank + 1) % ranks;
  rings.from_a = (rank + ranks - 1) % ranks;
  rings.to_b = ranks - 1 - rings.to_a;
  rings.from_b = ranks - 1 - rings.from_a;
  sent = calloc(1, kLarge);
  sent[kLarge - 1] = (char)(rank + 1);
  received = calloc(1, kLarge);
  for (int k = 0; k < 5; ++k) {
    ReceiveBlocking(&rings, 100 + k);
    ReceiveByRequests(&rings);
  }
  MPI_Comm_free(&rings.a);
  MPI_Comm_free(&rings.b);
  if (rank == 0) printf("%d\n", received[kLarge - 1]);
  free(sent);
  free(received);
  MPI_Finalize();
  return 0;
}
