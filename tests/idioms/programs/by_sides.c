/* One side after the other: who has a neighbour below exchanges with it, then
 * with the one above, and waits for both. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct by_sides {
  struct by_sides_form form;
  const struct grid *g;
  double *out, *in;
};

struct by_sides *by_sides_start(const struct grid *g,
                                const struct by_sides_form *form) {
  struct by_sides *b = calloc(1, sizeof *b);
  b->form = *form;
  b->g = g;
  b->out = numbers(4096);
  b->in = numbers(2 * 4096);
  return b;
}

static void along(struct by_sides *b, int side, int points) {
  int below = next_along(b->g, side, -1, 0),
      above = next_along(b->g, side, 1, 0);
  int n = (below != MPI_PROC_NULL) + (above != MPI_PROC_NULL), i = 0;
  MPI_Request requests[4];
  if (below != MPI_PROC_NULL) {
    MPI_Irecv(b->in, points, MPI_DOUBLE, below, 7, MPI_COMM_WORLD,
              &requests[i]);
    MPI_Isend(b->out, points, MPI_DOUBLE, below, 7, MPI_COMM_WORLD,
              &requests[n + i]);
    ++i;
  }
  if (above != MPI_PROC_NULL) {
    MPI_Irecv(b->in + 4096, points, MPI_DOUBLE, above, 7, MPI_COMM_WORLD,
              &requests[i]);
    MPI_Isend(b->out, points, MPI_DOUBLE, above, 7, MPI_COMM_WORLD,
              &requests[n + i]);
  }
  MPI_Waitall(2 * n, requests, MPI_STATUSES_IGNORE);
}

void by_sides_step(struct by_sides *b, int step) {
  (void)step;
  for (int s = 0; s < b->g->sides; ++s) {
    along(b, s, b->form.faces ? face(b->g, s, 0) : 3);
  }
}

void by_sides_end(struct by_sides *b) {
  free(b->out);
  free(b->in);
  free(b);
}
