/* A transform of a cube cut into pencils: all to all along rows, then along
   columns of the ranks; sides are shared with a remainder, and the third side
   as well where all three are said. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct transpose {
  struct transpose_form form;
  const struct grid *g;
  MPI_Comm part[2];
  int *counts[4], *offsets[4];
  double *out, *in;
};

/* Planes of mine along the other side of the ranks. */
static int planes(const struct transpose *t, int side) {
  int other = 1 - side;
  if (!t->form.third) return 1;
  return part_of(20, t->g->side[other], t->g->at[other], t->form.cut);
}

/* What member i of the part gets of mine, or gives me. */
static void set_counts(struct transpose *t, int side, int mine, int theirs) {
  int members = t->g->side[side], n = t->g->mesh[2], sum[2] = {0, 0};
  for (int k = 0; k < 2; ++k) {
    t->counts[2 * side + k] = malloc(sizeof(int) * (size_t)members);
    t->offsets[2 * side + k] = malloc(sizeof(int) * (size_t)members);
    for (int i = 0; i < members; ++i) {
      int at = t->g->at[side];
      int cut = t->form.cut;
      int count =
          k == 0
              ? part_of(n, members, at, cut) * part_of(theirs, members, i, cut)
              : part_of(n, members, i, cut) * part_of(mine, members, at, cut);
      count *= planes(t, side);
      t->counts[2 * side + k][i] = count;
      t->offsets[2 * side + k][i] = sum[k];
      sum[k] += count;
    }
  }
}

struct transpose *transpose_start(const struct grid *g,
                                  const struct transpose_form *form) {
  struct transpose *t = calloc(1, sizeof *t);
  t->form = *form;
  t->g = g;
  for (int s = 0; s < 2; ++s) {
    MPI_Comm_split(MPI_COMM_WORLD, g->at[1 - s], g->at[s], &t->part[s]);
    set_counts(t, s, 30, 30);
  }
  t->out = numbers(30 * 256 * 20);
  t->in = numbers(30 * 256 * 20);
  return t;
}

void transpose_step(struct transpose *t, int step) {
  (void)step;
  for (int s = 0; s < 2; ++s) {
    if (t->form.even) {
      int n = 5760 / t->g->side[s];
      MPI_Alltoall(t->out, n, MPI_DOUBLE, t->in, n, MPI_DOUBLE, t->part[s]);
    } else {
      MPI_Alltoallv(t->out, t->counts[2 * s], t->offsets[2 * s], MPI_DOUBLE,
                    t->in, t->counts[2 * s + 1], t->offsets[2 * s + 1],
                    MPI_DOUBLE, t->part[s]);
    }
  }
}

void transpose_end(struct transpose *t) {
  for (int s = 0; s < 2; ++s) MPI_Comm_free(&t->part[s]);
  for (int k = 0; k < 4; ++k) {
    free(t->counts[k]);
    free(t->offsets[k]);
  }
  free(t->out);
  free(t->in);
  free(t);
}
