/* A collective of all ranks in which each exchanges its faces with the
   neighbours, and nothing with all others. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct sparse_lists {
  struct sparse_lists_form form;
  int *counts, *offsets;
  double *out, *in;
};

struct sparse_lists *sparse_lists_start(const struct grid *g,
                                        const struct sparse_lists_form *form) {
  struct sparse_lists *x = calloc(1, sizeof *x);
  int at = 0;
  x->form = *form;
  x->counts = calloc((size_t)g->ranks, sizeof *x->counts);
  x->offsets = calloc((size_t)g->ranks, sizeof *x->offsets);
  for (int s = 0; s < g->sides; ++s) {
    for (int by = -1; by <= 1; by += 2) {
      int peer = next_along(g, s, by, form->periodic);
      int n = form->points ? form->points : face(g, s, 0);
      if (peer == MPI_PROC_NULL || peer == g->rank) continue;
      x->counts[peer] = n;
      x->offsets[peer] = at;
      at += n;
    }
  }
  x->out = numbers(at);
  x->in = numbers(at);
  return x;
}

void sparse_lists_step(struct sparse_lists *x, int step) {
  (void)step;
  MPI_Alltoallv(x->out, x->counts, x->offsets, MPI_DOUBLE, x->in, x->counts,
                x->offsets, MPI_DOUBLE, MPI_COMM_WORLD);
}

void sparse_lists_end(struct sparse_lists *x) {
  free(x->counts);
  free(x->offsets);
  free(x->out);
  free(x->in);
  free(x);
}
