/* Two ranks that the program names talk to each other, the others look on. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct named_ranks {
  struct named_ranks_form form;
  const struct grid *g;
  double *out, *in;
};

struct named_ranks *named_ranks_start(const struct grid *g,
                                      const struct named_ranks_form *form) {
  struct named_ranks *x = calloc(1, sizeof *x);
  x->form = *form;
  x->g = g;
  x->out = numbers(64);
  x->in = numbers(64);
  return x;
}

static int named(int which, int ranks) {
  switch (which) {
    case 0:
      return 0;
    case 1:
      return 1;
    case 2:
      return ranks - 1;
    default:
      return ranks / 2;
  }
}

void named_ranks_step(struct named_ranks *x, int step) {
  int me = x->g->rank, from = named(x->form.from, x->g->ranks);
  int to = named((x->form.from + x->form.on) % 4, x->g->ranks);
  (void)step;
  if (from == to) return;
  for (int k = 0; k < x->form.times; ++k) {
    int tag = x->form.tags ? k : 7;
    if (me == from) {
      MPI_Send(x->out, 40, MPI_DOUBLE, to, tag, MPI_COMM_WORLD);
      if (x->form.back) {
        MPI_Recv(x->in, 40, MPI_DOUBLE, to, tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
      }
    } else if (me == to) {
      MPI_Recv(x->in, 40, MPI_DOUBLE, from, tag, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      if (x->form.back) {
        MPI_Send(x->out, 40, MPI_DOUBLE, from, tag, MPI_COMM_WORLD);
      }
    }
  }
}

void named_ranks_end(struct named_ranks *x) {
  free(x->out);
  free(x->in);
  free(x);
}
