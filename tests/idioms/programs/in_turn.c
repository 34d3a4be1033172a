/* Rows are put to the root in their order, a part of each rank that has one,
   and all ranks meet after each part; or each rank has its turn; or each second
   part. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct in_turn {
  struct in_turn_form form;
  const struct grid *g;
  MPI_Win window;
  double *rows, *line;
};

struct in_turn *in_turn_start(const struct grid *g,
                              const struct in_turn_form *form) {
  struct in_turn *x = calloc(1, sizeof *x);
  int points = g->mesh[0] * g->mesh[1];
  x->form = *form;
  x->g = g;
  x->rows = numbers(points);
  x->line = numbers(g->mesh[1]);
  MPI_Win_create(x->rows, (MPI_Aint)sizeof(double) * points, sizeof(double),
                 MPI_INFO_NULL, MPI_COMM_WORLD, &x->window);
  MPI_Win_fence(0, x->window);
  return x;
}

static void rows_in_turn(struct in_turn *x) {
  int me = x->g->at[1], width = share(x->g->mesh[1], x->g->side[1], me);
  int first = first_of(x->g->mesh[0], x->g->side[0], x->g->at[0]);
  int end = first + share(x->g->mesh[0], x->g->side[0], x->g->at[0]);
  for (int row = 0; row < x->g->mesh[0]; ++row) {
    int at = x->form.up ? x->g->mesh[0] - 1 - row : row;
    for (int part = 0; part < x->g->side[1]; ++part) {
      if (part == me && at >= first && at < end) {
        MPI_Put(x->line, width, MPI_DOUBLE, 0, 0, width, MPI_DOUBLE, x->window);
      }
      MPI_Win_fence(0, x->window);
    }
  }
}

static void ranks_in_turn(struct in_turn *x) {
  int n = x->form.each == 1 ? x->g->ranks : 24;
  for (int k = 0; k < n; ++k) {
    if (k % (x->form.each == 1 ? x->g->ranks : 2) ==
        (x->form.each == 1 ? x->g->rank : x->g->rank % 2)) {
      MPI_Put(x->line, 8, MPI_DOUBLE, 0, 0, 8, MPI_DOUBLE, x->window);
    }
    MPI_Win_fence(0, x->window);
  }
}

void in_turn_step(struct in_turn *x, int step) {
  (void)step;
  if (x->form.each == 0) {
    rows_in_turn(x);
  } else {
    ranks_in_turn(x);
  }
}

void in_turn_end(struct in_turn *x) {
  MPI_Win_free(&x->window);
  free(x->rows);
  free(x->line);
  free(x);
}
