/* Elimination column by column, as in LU, Gauss-Jordan and Floyd's shortest
   paths: who has the column tells all others, and less is left each time. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct elimination {
  struct elimination_form form;
  const struct grid *g;
  int n;
  double *row;
};

struct elimination *elimination_start(const struct grid *g,
                                      const struct elimination_form *form) {
  struct elimination *x = calloc(1, sizeof *x);
  x->form = *form;
  x->g = g;
  x->n = form->weak ? 4 * g->ranks : 48;
  x->row = numbers(x->n + 1);
  return x;
}

static int owner(const struct elimination *x, int k) {
  int ranks = x->g->ranks, each = (x->n + ranks - 1) / ranks;
  return x->form.cyclic ? k % ranks : k / each;
}

void elimination_step(struct elimination *x, int step) {
  int in[2] = {0, 0}, out[2];
  (void)step;
  for (int k = 0; k < x->n; ++k) {
    int left = x->form.shrinks ? x->n - k : x->n;
    if (x->form.pivots) {
      MPI_Allreduce(in, out, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
    }
    MPI_Bcast(x->row, left, MPI_DOUBLE, owner(x, k), MPI_COMM_WORLD);
  }
}

void elimination_end(struct elimination *x) {
  free(x->row);
  free(x);
}
