/* Vertices that are dealt out give what they reach to who has that, level by
 * level; who has nothing to give calls from another line than who has. */
#include <mpi.h>
#include <stdlib.h>

static int me, ranks, *sent, *sent_at, *got, *got_at;
static const int kVertices = 4096;

static unsigned mixed(unsigned a) {
  a = (a ^ (a >> 16)) * 0x45d9f3bu;
  return a ^ (a >> 16);
}

static void offsets(const int *counts, int *at) {
  at[0] = 0;
  for (int r = 0; r < ranks; ++r) at[r + 1] = at[r] + counts[r];
}

/* Above all, so that no compiler makes one of what gives and what takes. */
static volatile int calls;

static void give(const int *from, int *to) {
  ++calls;
  MPI_Alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
  offsets(got, got_at);
  MPI_Alltoallv(from, sent, sent_at, MPI_INT, to, got, got_at, MPI_INT,
                MPI_COMM_WORLD);
}

static void take(const int *from, int *to) {
  --calls;
  MPI_Alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
  offsets(got, got_at);
  MPI_Alltoallv(from, sent, sent_at, MPI_INT, to, got, got_at, MPI_INT,
                MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  sent = calloc((size_t)ranks, sizeof(int));
  got = calloc((size_t)ranks, sizeof(int));
  sent_at = calloc((size_t)ranks + 1, sizeof(int));
  got_at = calloc((size_t)ranks + 1, sizeof(int));
  char *seen = calloc((size_t)kVertices, 1);
  int *from = malloc(sizeof(int) * 8 * (size_t)kVertices);
  int *to = malloc(sizeof(int) * 8 * (size_t)kVertices);
  int *frontier = malloc(sizeof(int) * (size_t)kVertices);
  for (unsigned root = 1; root < 4; ++root) {
    for (int v = 0; v < kVertices; ++v) seen[v] = 0;
    int size = 0, more = 1;
    const int first = (int)(mixed(root) % (unsigned)kVertices);
    if (first % ranks == me) seen[frontier[size++] = first] = 1;
    while (more) {
      for (int r = 0, n = 0; r < ranks; ++r) {
        sent[r] = 0;
        for (int i = 0; i < 8 * size; ++i) {
          const unsigned v = (unsigned)frontier[i / 8] * 8u + (unsigned)(i % 8);
          const int reached = (int)(mixed(v + 9) % (unsigned)kVertices);
          if (reached % ranks != r) continue;
          from[n++] = reached;
          ++sent[r];
        }
      }
      offsets(sent, sent_at);
      if (size > 0) {
        give(from, to);
      } else {
        take(from, to);
      }
      size = 0;
      for (int i = 0; i < got_at[ranks]; ++i) {
        if (!seen[to[i]]) seen[frontier[size++] = to[i]] = 1;
      }
      MPI_Allreduce(&size, &more, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
  }
  free(frontier);
  free(to);
  free(from);
  free(seen);
  free(got_at);
  free(sent_at);
  free(got);
  free(sent);
  MPI_Finalize();
  return 0;
}
