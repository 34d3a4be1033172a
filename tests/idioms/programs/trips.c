/* How often something is done follows the ranks, a side, a logarithm, or the
   own rank. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct trips {
  struct trips_form form;
  const struct grid *g;
  double in[8], out[8];
};

struct trips *trips_start(const struct grid *g, const struct trips_form *form) {
  struct trips *t = calloc(1, sizeof *t);
  t->form = *form;
  t->g = g;
  return t;
}

static int how_often(const struct trips *t) {
  switch (t->form.by) {
    case 0:
      return t->g->ranks;
    case 1:
      return t->g->side[0];
    case 2:
      return log2_of(t->g->ranks) + 1;
    case 3:
      return t->g->mesh[0] / 8;
    default:
      return (240 + t->g->ranks - 1) / t->g->ranks;
  }
}

void trips_step(struct trips *t, int step) {
  int n = how_often(t), me = t->g->rank, ranks = t->g->ranks;
  (void)step;
  for (int i = 0; i < n && t->form.what == 0; ++i) {
    MPI_Allreduce(t->in, t->out, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  for (int i = 0; i < n && t->form.what == 1; ++i) {
    MPI_Sendrecv(t->in, 3, MPI_DOUBLE, (me + 1) % ranks, 1, t->out, 3,
                 MPI_DOUBLE, (me + ranks - 1) % ranks, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
  /* Each sends as many as its rank says, to the next one. */
  for (int i = 0; i < me && t->form.what == 2; ++i) {
    MPI_Recv(t->out, 3, MPI_DOUBLE, me - 1, i, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  }
  for (int i = 0; i <= me && me + 1 < ranks && t->form.what == 2; ++i) {
    MPI_Send(t->in, 3, MPI_DOUBLE, me + 1, i, MPI_COMM_WORLD);
  }
}

void trips_end(struct trips *t) { free(t); }
