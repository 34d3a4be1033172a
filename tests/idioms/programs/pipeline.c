/* Blocks travel down a line of ranks, one after the other; then back. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct pipeline {
  struct pipeline_form form;
  const struct grid *g;
  double *out, *in;
};

struct pipeline *pipeline_start(const struct grid *g,
                                const struct pipeline_form *form) {
  struct pipeline *p = calloc(1, sizeof *p);
  p->form = *form;
  p->g = g;
  p->out = numbers(256);
  p->in = numbers(256);
  return p;
}

static void pass(struct pipeline *p, int by) {
  int me = p->g->rank, from = me - by, to = me + by;
  int blocks = p->form.follows_side ? p->g->side[0] + 2 : 5;
  for (int b = 0; b < blocks; ++b) {
    int n = share(250, blocks, b);
    if (from >= 0 && from < p->g->ranks) {
      MPI_Recv(p->in, n, MPI_DOUBLE, from, b, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    }
    if (to >= 0 && to < p->g->ranks) {
      MPI_Send(p->out, n, MPI_DOUBLE, to, b, MPI_COMM_WORLD);
    }
  }
}

void pipeline_step(struct pipeline *p, int step) {
  (void)step;
  pass(p, 1);
  if (p->form.back) pass(p, -1);
}

void pipeline_end(struct pipeline *p) {
  free(p->out);
  free(p->in);
  free(p);
}
