/* One function deals out vectors of several lengths, as the tests of a program
   do; some are hardly longer than there are ranks, or shorter. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct dealt_sizes {
  struct dealt_sizes_form form;
  const struct grid *g;
  int *counts, *offsets;
  double *out, *in;
};

struct dealt_sizes *dealt_sizes_start(const struct grid *g,
                                      const struct dealt_sizes_form *form) {
  struct dealt_sizes *x = calloc(1, sizeof *x);
  size_t bytes = sizeof(int) * (size_t)g->ranks;
  x->form = *form;
  x->g = g;
  x->counts = malloc(bytes);
  x->offsets = malloc(bytes);
  x->out = numbers(10 * form->many * form->width);
  x->in = numbers(10 * form->many * form->width);
  return x;
}

static int part_for(const struct dealt_sizes *x, int n, int r) {
  int ranks = x->g->ranks;
  if (x->form.cut > kLastGetsRest) {
    return n / ranks + (r == 0 ? n % ranks : 0); /* the root keeps the rest */
  }
  return part_of(n, ranks, r, x->form.cut);
}

static void hand_out(const struct dealt_sizes *x, int n) {
  int me = x->g->rank, mine = part_for(x, n, me) * x->form.width;
  if (me != 0) {
    if (mine == 0 && x->form.how == 1) return;
    MPI_Recv(x->in, mine, MPI_DOUBLE, 0, 23, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return;
  }
  for (int r = 1; r < x->g->ranks; ++r) {
    int count = part_for(x, n, r) * x->form.width;
    if (count == 0 && x->form.how == 1) continue;
    MPI_Send(x->out, count, MPI_DOUBLE, r, 23, MPI_COMM_WORLD);
  }
}

static void scatter(struct dealt_sizes *x, int n) {
  int sum = 0;
  for (int r = 0; r < x->g->ranks; ++r) {
    x->counts[r] = part_for(x, n, r) * x->form.width;
    x->offsets[r] = sum;
    sum += x->counts[r];
  }
  MPI_Scatterv(x->out, x->counts, x->offsets, MPI_DOUBLE, x->in,
               x->counts[x->g->rank], MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void __attribute__((noinline)) deal(struct dealt_sizes *x, int n) {
  double sum = 0, all = 0;
  if (x->form.how == 2) {
    scatter(x, n);
  } else {
    hand_out(x, n);
  }
  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

void dealt_sizes_step(struct dealt_sizes *x, int step) {
  int n[3] = {x->form.few, x->form.many, 10 * x->form.many - 1};
  (void)step;
  if (x->form.apart) {
    deal(x, n[0]);
    deal(x, n[1]);
    deal(x, n[2]);
  } else {
    for (int i = 0; i < 3; ++i) deal(x, n[i]);
  }
}

void dealt_sizes_end(struct dealt_sizes *x) {
  free(x->counts);
  free(x->offsets);
  free(x->out);
  free(x->in);
  free(x);
}
