/* Ranks of a node meet first, then the first of each node. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct two_levels {
  struct two_levels_form form;
  MPI_Comm node, first;
  double in[8], out[8];
};

struct two_levels *two_levels_start(const struct grid *g,
                                    const struct two_levels_form *form) {
  struct two_levels *t = calloc(1, sizeof *t);
  int size = form->large ? 4 : 2, rank;
  t->form = *form;
  MPI_Comm_split(MPI_COMM_WORLD, g->rank / size, g->rank, &t->node);
  MPI_Comm_rank(t->node, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? 0 : MPI_UNDEFINED, g->rank,
                 &t->first);
  return t;
}

void two_levels_step(struct two_levels *t, int step) {
  (void)step;
  MPI_Reduce(t->in, t->out, 6, MPI_DOUBLE, MPI_SUM, 0, t->node);
  if (t->first != MPI_COMM_NULL) {
    MPI_Allreduce(t->in, t->out, 6, MPI_DOUBLE, MPI_SUM, t->first);
  }
  if (t->form.back) MPI_Bcast(t->out, 6, MPI_DOUBLE, 0, t->node);
}

void two_levels_end(struct two_levels *t) {
  if (t->first != MPI_COMM_NULL) MPI_Comm_free(&t->first);
  MPI_Comm_free(&t->node);
  free(t);
}
