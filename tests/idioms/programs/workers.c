/* One rank deals out tasks to all others and gathers what they made of them:
   in turn, or from whoever comes. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct workers {
  struct workers_form form;
  int rank, ranks;
  double *data;
};

struct workers *workers_start(const struct grid *g,
                              const struct workers_form *form) {
  struct workers *w = calloc(1, sizeof *w);
  w->form = *form;
  w->rank = g->rank;
  w->ranks = g->ranks;
  w->data = numbers(64);
  return w;
}

static void deal(struct workers *w) {
  for (int i = 1; i < w->ranks; ++i) {
    MPI_Send(w->data, 20, MPI_DOUBLE, i, 1, MPI_COMM_WORLD);
  }
}

static void gather(struct workers *w) {
  for (int i = 1; i < w->ranks; ++i) {
    int from = w->form.any ? MPI_ANY_SOURCE : i;
    MPI_Recv(w->data, 12, MPI_DOUBLE, from, 2, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  }
}

void workers_step(struct workers *w, int step) {
  /* So many tasks in all, dealt out in turn; or one for each. */
  int tasks = w->form.tasks ? share(60, w->ranks - 1, w->rank - 1) : 1;
  (void)step;
  if (w->rank == 0) {
    int rounds = w->form.tasks ? 60 / (w->ranks - 1) : 1;
    int rest = w->form.tasks ? 60 % (w->ranks - 1) : 0;
    for (int r = 0; r < rounds; ++r) {
      deal(w);
      gather(w);
    }
    for (int i = 1; i <= rest; ++i) {
      MPI_Send(w->data, 20, MPI_DOUBLE, i, 1, MPI_COMM_WORLD);
    }
    for (int i = 1; i <= rest; ++i) {
      MPI_Recv(w->data, 12, MPI_DOUBLE, i, 2, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    }
    return;
  }
  for (int k = 0; k < tasks; ++k) {
    MPI_Recv(w->data, 20, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(w->data, 12, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
  }
}

void workers_end(struct workers *w) {
  free(w->data);
  free(w);
}
