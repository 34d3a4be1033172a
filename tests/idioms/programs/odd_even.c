/* Odd-even transposition sort: in phase k a rank meets the next one or the one
   before, by turns. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct odd_even {
  struct odd_even_form form;
  const struct grid *g;
  double *out, *in;
};

struct odd_even *odd_even_start(const struct grid *g,
                                const struct odd_even_form *form) {
  struct odd_even *x = calloc(1, sizeof *x);
  x->form = *form;
  x->g = g;
  x->out = numbers(form->points);
  x->in = numbers(form->points);
  return x;
}

static void exchange(struct odd_even *x, int peer) {
  int n = x->form.points, me = x->g->rank;
  if (x->form.how == 0) {
    MPI_Sendrecv(x->out, n, MPI_DOUBLE, peer, 0, x->in, n, MPI_DOUBLE, peer, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (me < peer) {
    MPI_Send(x->out, n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD);
    MPI_Recv(x->in, n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(x->in, n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(x->out, n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD);
  }
}

void odd_even_step(struct odd_even *x, int step) {
  int me = x->g->rank, ranks = x->g->ranks;
  (void)step;
  for (int k = 0; k < ranks; ++k) {
    int peer = (me + k) % 2 == 0 ? me + 1 : me - 1;
    if (peer < 0 || peer >= ranks) {
      if (!x->form.nobody) continue;
      peer = MPI_PROC_NULL;
    }
    exchange(x, peer);
  }
}

void odd_even_end(struct odd_even *x) {
  free(x->out);
  free(x->in);
  free(x);
}
