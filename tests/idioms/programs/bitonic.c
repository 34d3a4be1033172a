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
  for (int stage = 2, s = 1; stage <= ranks; stage *= 2, ++s) {
    for (int by = stage / 2, b = s - 1; by > 0; by /= 2, --b) {
      /* Of the stage, or of its number and the bit's. */
      int peer = me ^ by, tags[] = {0, stage, 100 + 10 * s + b};
      int tag = tags[x->form.tags];
      if (peer >= ranks) continue;
      MPI_Sendrecv(x->out, n, MPI_DOUBLE, peer, tag, x->in, n, MPI_DOUBLE, peer,
                   tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (x->form.sums) MPI_Barrier(MPI_COMM_WORLD);
  }
}

void bitonic_end(struct bitonic *x) {
  free(x->out);
  free(x->in);
  free(x);
}
