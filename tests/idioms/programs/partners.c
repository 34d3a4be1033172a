/* Everybody with everybody, a partner in each step: the one with whom a rank
 * sums up to the step's number, or differs from in its bits. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct partners {
  struct partners_form form;
  const struct grid *g;
  double *out, *in;
};

struct partners *partners_start(const struct grid *g,
                                const struct partners_form *form) {
  struct partners *p = calloc(1, sizeof *p);
  p->form = *form;
  p->g = g;
  p->out = numbers(256);
  p->in = numbers(256);
  return p;
}

static void meet(struct partners *p, int peer, int tag) {
  int ranks = p->g->ranks;
  int give = p->form.uneven ? share(250, ranks, peer) : 24;
  int take = p->form.uneven ? share(250, ranks, p->g->rank) : 24;
  if (!p->form.tags) tag = 3;
  if (p->form.sendrecv) {
    MPI_Sendrecv(p->out, give, MPI_DOUBLE, peer, tag, p->in, take, MPI_DOUBLE,
                 peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Request request;
    MPI_Irecv(p->in, take, MPI_DOUBLE, peer, tag, MPI_COMM_WORLD, &request);
    MPI_Send(p->out, give, MPI_DOUBLE, peer, tag, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

void partners_step(struct partners *p, int step) {
  int me = p->g->rank, ranks = p->g->ranks, steps = ranks;
  (void)step;
  if (p->form.bits) {
    steps = 1;
    while (steps < ranks) steps *= 2;
  }
  for (int k = 0; k < steps; ++k) {
    int peer = p->form.bits ? me ^ k : (k - me + ranks) % ranks;
    if (peer >= ranks || (peer == me && p->form.others)) continue;
    meet(p, peer, k);
  }
}

void partners_end(struct partners *p) {
  free(p->out);
  free(p->in);
  free(p);
}
