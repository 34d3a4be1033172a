/* Lower first: of two ranks that exchange, the one with the lower number sends
   first and the other one receives first, so that none waits for ever. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct lower_first {
  struct lower_first_form form;
  const struct grid *g;
  double *out, *in;
};

struct lower_first *lower_first_start(const struct grid *g,
                                      const struct lower_first_form *form) {
  struct lower_first *x = calloc(1, sizeof *x);
  x->form = *form;
  x->g = g;
  x->out = numbers(form->points);
  x->in = numbers(form->points);
  return x;
}

static void exchange(struct lower_first *x, int peer, int tag) {
  int n = x->form.points;
  if (x->g->rank < peer) {
    MPI_Send(x->out, n, MPI_DOUBLE, peer, tag, MPI_COMM_WORLD);
    MPI_Recv(x->in, n, MPI_DOUBLE, peer, tag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(x->in, n, MPI_DOUBLE, peer, tag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    MPI_Send(x->out, n, MPI_DOUBLE, peer, tag, MPI_COMM_WORLD);
  }
}

void lower_first_step(struct lower_first *x, int step) {
  (void)step;
  if (x->form.with == 0) {
    for (int k = 1; k < x->g->ranks; ++k) {
      exchange(x, x->g->rank ^ k, x->form.tags ? k : 1);
    }
    return;
  }
  for (int s = 0; s < x->g->sides; ++s) {
    for (int round = 0; round <= 1; ++round) {
      /* Those at even places with the next one, then with the one before. */
      int up = (x->g->at[s] + round) % 2 == 0;
      int peer = next_along(x->g, s, up ? 1 : -1, 0);
      if (peer != MPI_PROC_NULL) exchange(x, peer, x->form.tags ? s : 1);
    }
  }
}

void lower_first_end(struct lower_first *x) {
  free(x->out);
  free(x->in);
  free(x);
}
