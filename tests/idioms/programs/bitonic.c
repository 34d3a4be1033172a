/* Bitonic sort: stages within stages, with the rank whose number differs by one
   bit. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct bitonic {
  struct bitonic_form form;
  const struct grid *g;
  double *out, *in;
};

struct bitonic *bitonic_start(const struct grid *g,
                              const struct bitonic_form *form) {
  struct bitonic *x = calloc(1, sizeof *x);
  x->form = *form;
  x->g = g;
  x->out = numbers(form->points);
  x->in = numbers(form->points);
  return x;
}

void bitonic_step(struct bitonic *x, int step) {
  int me = x->g->rank, ranks = x->g->ranks, n = x->form.points;
  (void)step;
  for (int stage = 2; stage <= ranks; stage *= 2) {
    for (int by = stage / 2; by > 0; by /= 2) {
      int peer = me ^ by;
      if (peer >= ranks) continue;
      MPI_Sendrecv(x->out, n, MPI_DOUBLE, peer, 0, x->in, n, MPI_DOUBLE, peer,
                   0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (x->form.sums) MPI_Barrier(MPI_COMM_WORLD);
  }
}

void bitonic_end(struct bitonic *x) {
  free(x->out);
  free(x->in);
  free(x);
}
