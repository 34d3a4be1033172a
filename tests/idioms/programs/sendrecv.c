/* Shifts along each side in turn with MPI_Sendrecv, so that corners travel in
   two steps: faces of later sides have the rims of earlier ones. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct sendrecv {
  struct sendrecv_form form;
  const struct grid *g;
  double *out, *in;
};

struct sendrecv *sendrecv_start(const struct grid *g,
                                const struct sendrecv_form *form) {
  struct sendrecv *x = calloc(1, sizeof *x);
  int most = 1;
  x->form = *form;
  x->g = g;
  for (int s = 0; s < g->sides; ++s) {
    if (face(g, s, 2) > most) most = face(g, s, 2);
  }
  x->out = numbers(most);
  x->in = numbers(most);
  return x;
}

static void shift(struct sendrecv *x, int side, int by, int points) {
  int to = next_along(x->g, side, by, x->form.periodic);
  int from = next_along(x->g, side, -by, x->form.periodic);
  if (x->form.guarded && x->g->side[side] == 1) return;
  MPI_Sendrecv(x->out, points, MPI_DOUBLE, to, 3, x->in, points, MPI_DOUBLE,
               from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void sendrecv_step(struct sendrecv *x, int step) {
  (void)step;
  for (int s = 0; s < x->g->sides; ++s) {
    int points = 1;
    for (int o = 0; o < x->g->sides; ++o) {
      if (o != s) points *= block_side(x->g, o) + (o < s ? 2 : 0);
    }
    shift(x, s, 1, points);
    if (x->form.both) shift(x, s, -1, points);
  }
}

void sendrecv_end(struct sendrecv *x) {
  free(x->out);
  free(x->in);
  free(x);
}
