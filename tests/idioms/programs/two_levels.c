/* Ranks of a node meet first, then the first of each node. Points may be shared
   out among nodes: the first keeps its node's for all, as in shared memory, or
   they go to the next node and then to all of its ranks. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct two_levels {
  struct two_levels_form form;
  MPI_Comm node, first;
  double in[8], out[8];
  int points, points_before; /* of the node, and of the one before */
  int next, before;
  double *mine, *theirs;
  MPI_Win window;
};

static void share_out(struct two_levels *t, const struct grid *g, int size) {
  int nodes = (g->ranks + size - 1) / size, node = g->rank / size;
  int whole = g->mesh[0] * g->mesh[1];
  t->next = (node + 1) % nodes;
  t->before = (node + nodes - 1) % nodes;
  t->points = share(whole, nodes, node);
  t->points_before = share(whole, nodes, t->before);
  t->mine = numbers(t->points);
  t->theirs = numbers(t->points_before);
}

struct two_levels *two_levels_start(const struct grid *g,
                                    const struct two_levels_form *form) {
  struct two_levels *t = calloc(1, sizeof *t);
  int size = form->large ? 4 : 2, rank;
  t->form = *form;
  MPI_Comm_split(MPI_COMM_WORLD, g->rank / size, g->rank, &t->node);
  MPI_Comm_rank(t->node, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? 0 : MPI_UNDEFINED, g->rank,
                 &t->first);
  if (form->shared == 0) return t;
  share_out(t, g, size);
  if (form->shared == 1) {
    MPI_Win_create(t->mine,
                   rank == 0 ? (MPI_Aint)sizeof(double) * t->points : 0,
                   sizeof(double), MPI_INFO_NULL, t->node, &t->window);
    MPI_Win_fence(0, t->window);
  }
  return t;
}

void two_levels_step(struct two_levels *t, int step) {
  (void)step;
  MPI_Reduce(t->in, t->out, 6, MPI_DOUBLE, MPI_SUM, 0, t->node);
  if (t->first != MPI_COMM_NULL) {
    MPI_Allreduce(t->in, t->out, 6, MPI_DOUBLE, MPI_SUM, t->first);
  }
  if (t->form.back) MPI_Bcast(t->out, 6, MPI_DOUBLE, 0, t->node);
  if (t->form.shared == 2) {
    if (t->first != MPI_COMM_NULL) {
      MPI_Sendrecv(t->mine, t->points, MPI_DOUBLE, t->next, 1, t->theirs,
                   t->points_before, MPI_DOUBLE, t->before, 1, t->first,
                   MPI_STATUS_IGNORE);
    }
    MPI_Bcast(t->mine, t->points, MPI_DOUBLE, 0, t->node);
  }
}

void two_levels_end(struct two_levels *t) {
  if (t->form.shared == 1) {
    MPI_Win_fence(0, t->window);
    MPI_Win_free(&t->window);
  }
  free(t->mine);
  free(t->theirs);
  if (t->first != MPI_COMM_NULL) MPI_Comm_free(&t->first);
  MPI_Comm_free(&t->node);
  free(t);
}
