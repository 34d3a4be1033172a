/* The product of two matrices on a square of ranks: a skew, then shifts, of
   which the last one may be left out, and the way back. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct cannon {
  struct cannon_form form;
  const struct grid *g;
  int n;
  double *a, *b;
};

struct cannon *cannon_start(const struct grid *g,
                            const struct cannon_form *form) {
  struct cannon *c = calloc(1, sizeof *c);
  c->form = *form;
  c->g = g;
  c->n = form->fixed ? 64 : 720 / g->side[0];
  c->a = numbers(c->n * c->n);
  c->b = numbers(c->n * c->n);
  return c;
}

static void move(struct cannon *c, int side, int by) {
  int to = next_along(c->g, side, -by, 1), from = next_along(c->g, side, by, 1);
  MPI_Sendrecv(c->a, c->n * c->n, MPI_DOUBLE, to, side, c->b, c->n * c->n,
               MPI_DOUBLE, from, side, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

enum { kStays, kBack, kBackOneLess };

void cannon_step(struct cannon *c, int step) {
  (void)step;
  if (c->form.skews) {
    move(c, 1, c->g->at[0]);
    move(c, 0, c->g->at[1]);
  }
  int left_out = c->form.ways_back == kBackOneLess;
  for (int k = 1; k < c->g->side[0]; ++k) {
    move(c, 1, 1);
    move(c, 0, 1);
  }
  if (c->form.ways_back != kStays) {
    move(c, 1, left_out - c->g->at[0]);
    move(c, 0, left_out - c->g->at[1]);
  }
}

void cannon_end(struct cannon *c) {
  free(c->a);
  free(c->b);
  free(c);
}
