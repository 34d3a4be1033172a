/* Odd-even transposition sort: in phase k a rank meets the next one or the one
   before, by turns. A rank or two at one end may have no part in it, as one
   that writes for the others. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct odd_even {
  struct odd_even_form form;
  int me, ranks; /* among those that take part; me < 0: none of them */
  double *out, *in;
};

struct odd_even *odd_even_start(const struct grid *g,
                                const struct odd_even_form *form) {
  struct odd_even *x = calloc(1, sizeof *x);
  x->form = *form;
  x->ranks = g->ranks - (form->out == 3 ? 2 : form->out > 0);
  x->me = form->out == 2 ? g->rank - 1 : g->rank;
  if (x->me >= x->ranks) x->me = -1;
  x->out = numbers(form->points);
  x->in = numbers(form->points);
  return x;
}

/* peer: among those that take part, or nobody. */
static void exchange(struct odd_even *x, int peer) {
  int n = x->form.points, is_first = x->me < peer;
  if (x->form.out == 2 && peer >= 0) ++peer;
  if (x->form.how == 0) {
    MPI_Sendrecv(x->out, n, MPI_DOUBLE, peer, 0, x->in, n, MPI_DOUBLE, peer, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (is_first) {
    MPI_Send(x->out, n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD);
    MPI_Recv(x->in, n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(x->in, n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(x->out, n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD);
  }
}

void odd_even_step(struct odd_even *x, int step) {
  int me = x->me, ranks = x->ranks;
  int rounds = x->form.few ? 5 : ranks;
  if (me < 0) return;
  for (int k = 0; k < rounds; ++k) {
    int round = x->form.few ? step * rounds + k : k;
    int peer = (me + round) % 2 == 0 ? me + 1 : me - 1;
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
