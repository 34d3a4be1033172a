/* Rounds: tasks in rounds of one for each worker, the last of which is short,
   or iterations of a method in which a rank takes part until its own is done,
   as many as there are ranks, but so many at most. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct rounds {
  struct rounds_form form;
  int rank, ranks;
  double *data;
};

struct rounds *rounds_start(const struct grid *g,
                            const struct rounds_form *form) {
  struct rounds *x = calloc(1, sizeof *x);
  x->form = *form;
  x->rank = g->rank;
  x->ranks = g->ranks;
  x->data = numbers(64);
  return x;
}

static void deal_out(struct rounds *x) {
  int next = 0, given;
  while (next < x->form.tasks) {
    for (given = 0; given < x->ranks - 1 && next < x->form.tasks; ++given) {
      MPI_Send(x->data, 4, MPI_DOUBLE, given + 1, 1, MPI_COMM_WORLD);
      ++next;
    }
    for (int w = 1; w <= given; ++w) {
      MPI_Recv(x->data, 6, MPI_DOUBLE, w, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
}

static void work(struct rounds *x) {
  for (int t = x->rank - 1; t < x->form.tasks; t += x->ranks - 1) {
    MPI_Recv(x->data, 4, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(x->data, 6, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
  }
}

/* One after the other in time: rank r is done after iteration r. */
static void converge(struct rounds *x) {
  int most = x->form.most < x->ranks ? x->form.most : x->ranks;
  double worst = 0;
  for (int k = 1; k <= most; ++k) {
    if (x->rank > k - 1) {
      MPI_Recv(x->data, 32, MPI_DOUBLE, x->rank - 1, k, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    }
    if (x->rank >= k - 1 && x->rank < x->ranks - 1) {
      MPI_Send(x->data, 32, MPI_DOUBLE, x->rank + 1, k, MPI_COMM_WORLD);
    }
    MPI_Reduce(x->data, &worst, 1, MPI_DOUBLE, MPI_MAX, x->ranks - 1,
               MPI_COMM_WORLD);
  }
}

void rounds_step(struct rounds *x, int step) {
  (void)step;
  if (x->form.how == 1) {
    converge(x);
    return;
  }
  MPI_Bcast(x->data, 8, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (x->rank == 0) {
    deal_out(x);
  } else {
    work(x);
  }
}

void rounds_end(struct rounds *x) {
  free(x->data);
  free(x);
}
