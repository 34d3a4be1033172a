/* Collectives with a list of counts, which are shares of a whole. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct v_collectives {
  struct v_collectives_form form;
  const struct grid *g;
  int *counts, *offsets, *mine;
  double *out, *in;
};

struct v_collectives *v_collectives_start(
    const struct grid *g, const struct v_collectives_form *form) {
  struct v_collectives *v = calloc(1, sizeof *v);
  size_t bytes = sizeof(int) * (size_t)g->ranks;
  int n = g->mesh[0], sum = 0;
  v->form = *form;
  v->g = g;
  v->counts = malloc(bytes);
  v->offsets = malloc(bytes);
  v->mine = malloc(bytes);
  for (int r = 0; r < g->ranks; ++r) {
    v->counts[r] = part_of(n, g->ranks, r, form->cut);
    v->offsets[r] = sum;
    sum += v->counts[r];
  }
  for (int r = 0; r < g->ranks; ++r) v->mine[r] = v->counts[g->rank];
  v->out = numbers(n * g->ranks);
  v->in = numbers(n * g->ranks);
  return v;
}

void v_collectives_step(struct v_collectives *v, int step) {
  int mine = v->counts[v->g->rank];
  int root = v->form.roots ? step % v->g->ranks : 0;
  switch (v->form.how) {
    case 0:
      MPI_Allgatherv(v->out, mine, MPI_DOUBLE, v->in, v->counts, v->offsets,
                     MPI_DOUBLE, MPI_COMM_WORLD);
      break;
    case 1:
      MPI_Gatherv(v->out, mine, MPI_DOUBLE, v->in, v->counts, v->offsets,
                  MPI_DOUBLE, root, MPI_COMM_WORLD);
      break;
    case 2:
      MPI_Scatterv(v->out, v->counts, v->offsets, MPI_DOUBLE, v->in, mine,
                   MPI_DOUBLE, root, MPI_COMM_WORLD);
      break;
    case 3:
      for (int r = 0; r < v->g->ranks; ++r) v->offsets[r] = r * mine;
      MPI_Alltoallv(v->out, v->counts, v->offsets, MPI_DOUBLE, v->in, v->mine,
                    v->offsets, MPI_DOUBLE, MPI_COMM_WORLD);
      break;
    default:
      MPI_Reduce_scatter(v->out, v->in, v->counts, MPI_DOUBLE, MPI_SUM,
                         MPI_COMM_WORLD);
  }
}

void v_collectives_end(struct v_collectives *v) {
  free(v->counts);
  free(v->offsets);
  free(v->mine);
  free(v->out);
  free(v->in);
  free(v);
}
