/* A benchmark of messages: each length some times over, fewer where it is long,
   between two ranks or all; the others wait. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct sizes {
  struct sizes_form form;
  const struct grid *g;
  double *out, *in;
};

struct sizes *sizes_start(const struct grid *g, const struct sizes_form *form) {
  struct sizes *x = calloc(1, sizeof *x);
  x->form = *form;
  x->g = g;
  x->out = numbers(1 << 12);
  x->in = numbers(1 << 12);
  return x;
}

static void once(struct sizes *x, int n) {
  int me = x->g->rank, last = x->g->ranks - 1;
  if (x->form.what == 0 && me == 0) {
    MPI_Send(x->out, n, MPI_DOUBLE, last, 1, MPI_COMM_WORLD);
    MPI_Recv(x->in, n, MPI_DOUBLE, last, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (x->form.what == 0 && me == last) {
    MPI_Recv(x->in, n, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(x->out, n, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
  } else if (x->form.what == 1) {
    MPI_Allreduce(x->out, x->in, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  } else if (x->form.what == 2) {
    MPI_Bcast(x->out, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  }
}

void sizes_step(struct sizes *x, int step) {
  double in = 1, out;
  (void)step;
  for (int n = 1; n <= 1 << (6 + x->form.longest); n *= 2) {
    for (int i = 0; i < (n > 16 ? 2 : 5); ++i) once(x, n);
    if (x->form.times) {
      MPI_Reduce(&in, &out, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

void sizes_end(struct sizes *x) {
  free(x->out);
  free(x->in);
  free(x);
}
