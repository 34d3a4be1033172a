/* Sweeps over a plane from its corners, block by block: from the ranks behind,
   to the ranks ahead. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct sweep {
  struct sweep_form form;
  const struct grid *g;
  double *out, *in;
};

struct sweep *sweep_start(const struct grid *g, const struct sweep_form *form) {
  struct sweep *w = calloc(1, sizeof *w);
  w->form = *form;
  w->g = g;
  w->out = numbers(512);
  w->in = numbers(512);
  return w;
}

static void sweep_from(struct sweep *w, int a, int b) {
  const struct grid *g = w->g;
  int behind_a = next_along(g, 0, -a, 0), ahead_a = next_along(g, 0, a, 0);
  int behind_b = next_along(g, 1, -b, 0), ahead_b = next_along(g, 1, b, 0);
  int n = block_side(g, 1), m = block_side(g, 0);
  for (int block = 0; block < w->form.blocks; ++block) {
    if (behind_a >= 0) {
      MPI_Recv(w->in, n, MPI_DOUBLE, behind_a, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    }
    if (behind_b >= 0) {
      MPI_Recv(w->in, m, MPI_DOUBLE, behind_b, 2, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    }
    if (ahead_a >= 0) {
      MPI_Send(w->out, n, MPI_DOUBLE, ahead_a, 1, MPI_COMM_WORLD);
    }
    if (ahead_b >= 0) {
      MPI_Send(w->out, m, MPI_DOUBLE, ahead_b, 2, MPI_COMM_WORLD);
    }
  }
}

void sweep_step(struct sweep *w, int step) {
  (void)step;
  for (int corner = 0; corner < w->form.corners; ++corner) {
    sweep_from(w, corner & 1 ? -1 : 1, corner & 2 ? -1 : 1);
  }
}

void sweep_end(struct sweep *w) {
  free(w->out);
  free(w->in);
  free(w);
}
