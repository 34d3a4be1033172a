/* A call site of its own for each side of a plane, behind a condition each. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct guards {
  struct guards_form form;
  int west, east, south, north, across, along;
  double *out, *in;
};

struct guards *guards_start(const struct grid *g,
                            const struct guards_form *form) {
  struct guards *h = calloc(1, sizeof *h);
  h->form = *form;
  h->west = next_along(g, 0, -1, 0);
  h->east = next_along(g, 0, 1, 0);
  h->south = next_along(g, 1, -1, 0);
  h->north = next_along(g, 1, 1, 0);
  h->across = block_side(g, 1);
  h->along = block_side(g, 0);
  h->out = numbers(4 * 256);
  h->in = numbers(4 * 256);
  return h;
}

void guards_step(struct guards *h, int step) {
  MPI_Request r[8];
  MPI_Comm all = MPI_COMM_WORLD;
  int n = 0, t = h->form.tags;
  (void)step;
  if (h->west >= 0) {
    MPI_Irecv(h->in, h->across, MPI_DOUBLE, h->west, t * 1, all, &r[n++]);
  }
  if (h->east >= 0) {
    MPI_Irecv(h->in + 256, h->across, MPI_DOUBLE, h->east, t * 2, all, &r[n++]);
  }
  if (h->south >= 0) {
    MPI_Irecv(h->in + 512, h->along, MPI_DOUBLE, h->south, t * 3, all, &r[n++]);
  }
  if (h->north >= 0) {
    MPI_Irecv(h->in + 768, h->along, MPI_DOUBLE, h->north, t * 4, all, &r[n++]);
  }
  if (h->west >= 0) {
    MPI_Isend(h->out, h->across, MPI_DOUBLE, h->west, t * 2, all, &r[n++]);
  }
  if (h->east >= 0) {
    MPI_Isend(h->out, h->across, MPI_DOUBLE, h->east, t * 1, all, &r[n++]);
  }
  if (h->south >= 0) {
    MPI_Isend(h->out, h->along, MPI_DOUBLE, h->south, t * 4, all, &r[n++]);
  }
  if (h->north >= 0) {
    MPI_Isend(h->out, h->along, MPI_DOUBLE, h->north, t * 3, all, &r[n++]);
  }
  finish(n, r, h->form.finish);
}

void guards_end(struct guards *h) {
  free(h->out);
  free(h->in);
  free(h);
}
