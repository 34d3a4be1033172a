/* A transform spread over all ranks and back: the farthest half first, then a
 * sum, then the nearest first, where who adds and who subtracts goes its own
 * way. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct transforms {
  struct transforms_form form;
  int rank, ranks;
  double *out, *in;
};

struct transforms *transforms_start(const struct grid *g,
                                    const struct transforms_form *form) {
  struct transforms *t = calloc(1, sizeof *t);
  t->form = *form;
  t->rank = g->rank;
  t->ranks = g->ranks;
  t->out = numbers(256);
  t->in = numbers(256);
  return t;
}

void transforms_step(struct transforms *t, int step) {
  int me = t->rank, n = t->form.points;
  double mine = step, sum;
  for (int d = t->ranks / 2; d >= 1; d /= 2) {
    int tag = t->form.tags ? d : 4;
    MPI_Sendrecv(t->out, n, MPI_DOUBLE, me ^ d, tag, t->in, n, MPI_DOUBLE,
                 me ^ d, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int d = 1; t->form.back && d < t->ranks; d *= 2) {
    int tag = t->form.tags ? d : 5;
    if (me & d) {
      MPI_Sendrecv(t->in, n, MPI_DOUBLE, me ^ d, tag, t->out, n, MPI_DOUBLE,
                   me ^ d, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Sendrecv(t->out, n, MPI_DOUBLE, me ^ d, tag, t->in, n, MPI_DOUBLE,
                   me ^ d, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
}

void transforms_end(struct transforms *t) {
  free(t->out);
  free(t->in);
  free(t);
}
