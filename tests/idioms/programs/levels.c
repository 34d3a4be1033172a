/* Levels of a multigrid on a line of blocks: each has half the points of the
   one before, and where there is less than one for each rank, ranks sit out. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct levels {
  struct levels_form form;
  const struct grid *g;
  int levels, points;
  double *out, *in;
};

struct levels *levels_start(const struct grid *g,
                            const struct levels_form *form) {
  struct levels *v = calloc(1, sizeof *v);
  v->form = *form;
  v->g = g;
  v->points = form->per_rank ? 16 * g->ranks : 1024;
  v->levels = log2_of(v->points) - form->coarsest;
  v->out = numbers(64);
  v->in = numbers(64);
  return v;
}

/* On a coarse level only every stride-th rank has points. */
static void exchange(struct levels *v, int stride, int n) {
  MPI_Request r[4];
  int me = v->g->rank, down = me - stride, up = me + stride, k = 0;
  if (me % stride != 0) return;
  if (down >= 0) {
    MPI_Irecv(v->in, n, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &r[k++]);
  }
  if (up < v->g->ranks) {
    MPI_Irecv(v->in + 32, n, MPI_DOUBLE, up, 2, MPI_COMM_WORLD, &r[k++]);
    MPI_Isend(v->out, n, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &r[k++]);
  }
  if (down >= 0) {
    MPI_Isend(v->out, n, MPI_DOUBLE, down, 2, MPI_COMM_WORLD, &r[k++]);
  }
  MPI_Waitall(k, r, MPI_STATUSES_IGNORE);
}

static int stride_of(const struct levels *v, int level) {
  int here = v->points >> level, stride = 1;
  while (here * stride < v->g->ranks) stride *= 2;
  return stride;
}

void levels_step(struct levels *v, int step) {
  (void)step;
  for (int l = 0; l < v->levels; ++l) {
    int n = v->form.narrowing ? (32 >> l) + 1 : 8;
    exchange(v, stride_of(v, l), n);
  }
  for (int l = v->levels; v->form.back && l-- > 0;) {
    exchange(v, stride_of(v, l), 4);
  }
}

void levels_end(struct levels *v) {
  free(v->out);
  free(v->in);
  free(v);
}
