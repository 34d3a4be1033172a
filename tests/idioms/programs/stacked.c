/* Halos one above the other, all by one call: on each level of a mesh, with
   half of the points along a side, or of each of some fields, some wider than
   others. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

enum { kMostLayers = 4 };

struct stacked {
  struct stacked_form form;
  int n, layers, peer[2 * kMostSides];
  int points[kMostLayers][2 * kMostSides];
  double *out, *in;
};

static int points_of(const struct grid *g, const struct stacked_form *form,
                     int layer, int side) {
  int points = 1;
  for (int s = 0; s < g->sides; ++s) {
    if (s != side) points *= block_side(g, s) >> (form->fields ? 0 : layer);
  }
  return form->fields ? points * (layer + 1) : points;
}

struct stacked *stacked_start(const struct grid *g,
                              const struct stacked_form *form) {
  struct stacked *x = calloc(1, sizeof *x);
  int most = 1;
  x->form = *form;
  x->layers = form->layers;
  for (int i = 0; i < 2 * g->sides; ++i) {
    int peer = next_along(g, i / 2, i % 2 ? 1 : -1, form->periodic);
    if (peer == MPI_PROC_NULL) continue;
    x->peer[x->n] = peer;
    for (int l = 0; l < x->layers; ++l) {
      x->points[l][x->n] = points_of(g, form, l, i / 2);
      if (x->points[l][x->n] > most) most = x->points[l][x->n];
    }
    ++x->n;
  }
  x->out = numbers(most);
  x->in = numbers(most * (x->n + 1));
  return x;
}

static void exchange(struct stacked *x, int layer) {
  MPI_Request r[4 * kMostSides];
  const int *points = x->points[layer];
  for (int i = 0; i < x->n; ++i) {
    MPI_Irecv(x->in + i * points[i], points[i], MPI_DOUBLE, x->peer[i], 1,
              MPI_COMM_WORLD, &r[i]);
  }
  for (int i = 0; i < x->n; ++i) {
    MPI_Isend(x->out, points[i], MPI_DOUBLE, x->peer[i], 1, MPI_COMM_WORLD,
              &r[x->n + i]);
  }
  finish(2 * x->n, r, x->form.finish);
}

void stacked_step(struct stacked *x, int step) {
  (void)step;
  for (int l = 0; l < x->layers; ++l) exchange(x, l);
  for (int l = x->layers; x->form.back && l-- > 0;) exchange(x, l);
}

void stacked_end(struct stacked *x) {
  free(x->out);
  free(x->in);
  free(x);
}
