/* Nobody knows who will send: synchronous sends, looking, and a barrier begun
   once the own sends have been received. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct consensus {
  struct consensus_form form;
  const struct grid *g;
  int out, in;
};

struct consensus *consensus_start(const struct grid *g,
                                  const struct consensus_form *form) {
  struct consensus *c = calloc(1, sizeof *c);
  c->form = *form;
  c->g = g;
  return c;
}

static void take(struct consensus *c) {
  MPI_Status status;
  int flag;
  MPI_Iprobe(MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &flag, &status);
  if (!flag) return;
  MPI_Recv(&c->in, 1, MPI_INT, status.MPI_SOURCE, 4, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
}

void consensus_step(struct consensus *c, int step) {
  MPI_Request sends[8], barrier = MPI_REQUEST_NULL;
  int n = c->form.few, sent = 0, done = 0, ranks = c->g->ranks;
  for (int i = 0; i < n; ++i) {
    unsigned to =
        mix((unsigned)(c->form.seed + step), (unsigned)c->g->rank, (unsigned)i);
    MPI_Issend(&c->out, 1, MPI_INT, (int)(to % (unsigned)ranks), 4,
               MPI_COMM_WORLD, &sends[i]);
  }
  while (!done) {
    take(c);
    if (sent) {
      MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
    } else {
      MPI_Testall(n, sends, &sent, MPI_STATUSES_IGNORE);
      if (sent) MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

void consensus_end(struct consensus *c) { free(c); }
