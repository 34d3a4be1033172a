/* Pairs of ranks: halves of the machine, mirror images, neighbours two by two.
 */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct pairs {
  struct pairs_form form;
  const struct grid *g;
  double *out, *in;
};

struct pairs *pairs_start(const struct grid *g, const struct pairs_form *form) {
  struct pairs *x = calloc(1, sizeof *x);
  x->form = *form;
  x->g = g;
  x->out = numbers(64);
  x->in = numbers(64);
  return x;
}

static int partner(const struct pairs *x) {
  int me = x->g->rank, ranks = x->g->ranks, half = ranks / 2, peer;
  if (x->form.how == 0) {
    if (me >= 2 * half) return MPI_PROC_NULL;
    return me < half ? me + half : me - half;
  }
  if (x->form.how == 1) {
    peer = ranks - 1 - me;
    return peer == me ? MPI_PROC_NULL : peer;
  }
  peer = me ^ 1;
  return peer < ranks ? peer : MPI_PROC_NULL;
}

void pairs_step(struct pairs *x, int step) {
  int peer = partner(x), n = x->form.grows ? 1 << (step % 6) : 24;
  if (peer == MPI_PROC_NULL) return;
  if (x->form.pingpong && x->g->rank < peer) {
    MPI_Send(x->out, n, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD);
    MPI_Recv(x->in, n, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (x->form.pingpong) {
    MPI_Recv(x->in, n, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(x->out, n, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD);
  } else {
    MPI_Sendrecv(x->out, n, MPI_DOUBLE, peer, 1, x->in, n, MPI_DOUBLE, peer, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

void pairs_end(struct pairs *x) {
  free(x->out);
  free(x->in);
  free(x);
}
