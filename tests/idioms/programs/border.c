/* Border: ranks at ends of the grid have more to do than those within: they
   form a communicator, or exchange what a boundary condition needs. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct border {
  struct border_form form;
  const struct grid *g;
  int is_at_border;
  MPI_Comm group;
  double *data;
};

static int is_at_border(const struct grid *g, int ends) {
  for (int s = 0; s < g->sides; ++s) {
    int first = g->at[s] == 0, last = g->at[s] == g->side[s] - 1;
    if (ends == 0 && (first || last)) return 1;
    if (ends == 1 && s == 0 && (first || last)) return 1;
    if (ends == 2 && first) return 1;
  }
  return 0;
}

struct border *border_start(const struct grid *g,
                            const struct border_form *form) {
  struct border *b = calloc(1, sizeof *b);
  b->form = *form;
  b->g = g;
  b->is_at_border = is_at_border(g, form->ends);
  b->data = numbers(form->points);
  if (form->group) {
    MPI_Comm_split(MPI_COMM_WORLD, b->is_at_border ? 1 : MPI_UNDEFINED, g->rank,
                   &b->group);
  }
  return b;
}

void border_step(struct border *b, int step) {
  int n = b->form.points;
  (void)step;
  for (int s = 0; s < b->g->sides; ++s) {
    int up = next_along(b->g, s, 1, 0), down = next_along(b->g, s, -1, 0);
    MPI_Sendrecv(b->data, n, MPI_DOUBLE, up, 1, b->data, n, MPI_DOUBLE, down, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (!b->is_at_border) return;
  if (b->form.group) {
    MPI_Allreduce(MPI_IN_PLACE, b->data, 1, MPI_DOUBLE, MPI_SUM, b->group);
  } else {
    MPI_Sendrecv(b->data, 2, MPI_DOUBLE, b->g->rank, 2, b->data, 2, MPI_DOUBLE,
                 b->g->rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

void border_end(struct border *b) {
  if (b->form.group && b->is_at_border) MPI_Comm_free(&b->group);
  free(b->data);
  free(b);
}
