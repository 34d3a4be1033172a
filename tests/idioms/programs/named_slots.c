/* A slot for each side and each direction, whatever is there: without a
   neighbour it is MPI_REQUEST_NULL. Waited for side by side. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct named_slots {
  struct named_slots_form form;
  int peer[2 * kMostSides], points[2 * kMostSides], n;
  double *out, *in;
};

struct named_slots *named_slots_start(const struct grid *g,
                                      const struct named_slots_form *form) {
  struct named_slots *h = calloc(1, sizeof *h);
  int most = 1;
  h->form = *form;
  h->n = 2 * g->sides;
  for (int i = 0; i < h->n; ++i) {
    h->peer[i] = next_along(g, i / 2, i % 2 ? 1 : -1, 0);
    h->points[i] = face(g, i / 2, 0);
    if (h->points[i] > most) most = h->points[i];
  }
  h->out = numbers(most);
  h->in = numbers(most * h->n);
  return h;
}

void named_slots_step(struct named_slots *h, int step) {
  MPI_Request in[2 * kMostSides], out[2 * kMostSides];
  (void)step;
  for (int i = 0; i < h->n; ++i) in[i] = out[i] = MPI_REQUEST_NULL;
  for (int i = 0; i < h->n; ++i) {
    if (h->peer[i] < 0) continue;
    MPI_Irecv(h->in + i * h->points[i], h->points[i], MPI_DOUBLE, h->peer[i],
              i ^ 1, MPI_COMM_WORLD, &in[i]);
    MPI_Isend(h->out, h->points[i], MPI_DOUBLE, h->peer[i], i, MPI_COMM_WORLD,
              &out[i]);
  }
  if (h->form.by_side) {
    for (int s = 0; s < h->n / 2; ++s) finish(2, in + 2 * s, h->form.finish);
    MPI_Waitall(h->n, out, MPI_STATUSES_IGNORE);
  } else {
    finish(h->n, in, h->form.finish);
    finish(h->n, out, h->form.finish);
  }
}

void named_slots_end(struct named_slots *h) {
  free(h->out);
  free(h->in);
  free(h);
}
