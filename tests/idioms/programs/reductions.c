/* Reductions and broadcasts whose root is the first rank, the last, one in the
   middle, or each in turn; with an operator of the program own making. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct reductions {
  struct reductions_form form;
  int ranks;
  MPI_Op op;
  double in[32], out[32];
};

static void larger(void *in, void *inout, int *n, MPI_Datatype *type) {
  double *a = in, *b = inout;
  (void)type;
  for (int i = 0; i < *n; ++i) b[i] = a[i] > b[i] ? a[i] : b[i];
}

struct reductions *reductions_start(const struct grid *g,
                                    const struct reductions_form *form) {
  struct reductions *r = calloc(1, sizeof *r);
  r->form = *form;
  r->ranks = g->ranks;
  r->op = MPI_SUM;
  if (form->own_op) MPI_Op_create(larger, 1, &r->op);
  return r;
}

void reductions_step(struct reductions *r, int step) {
  int roots[5] = {0, r->ranks - 1, r->ranks / 2, step % r->ranks, 1};
  int root = roots[r->form.root];
  MPI_Reduce(r->in, r->out, r->form.n, MPI_DOUBLE, r->op, root, MPI_COMM_WORLD);
  if (r->form.back) {
    MPI_Bcast(r->out, r->form.n, MPI_DOUBLE, root, MPI_COMM_WORLD);
  }
  if (r->form.scans) {
    MPI_Exscan(r->in, r->out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
}

void reductions_end(struct reductions *r) {
  if (r->form.own_op) MPI_Op_free(&r->op);
  free(r);
}
