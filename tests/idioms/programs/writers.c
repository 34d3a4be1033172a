/* Some ranks write for those around them: one in four, or one in each row.
   They take what the others have, one after the other. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct writers {
  struct writers_form form;
  const struct grid *g;
  int size;
  double *data;
};

struct writers *writers_start(const struct grid *g,
                              const struct writers_form *form) {
  struct writers *w = calloc(1, sizeof *w);
  w->form = *form;
  w->g = g;
  w->size = form->rows ? g->side[g->sides - 1] : 4;
  w->data = numbers(g->mesh[0]);
  return w;
}

static int amount(const struct writers *w, int rank) {
  return w->form.uneven ? share(w->g->mesh[0], w->g->ranks, rank) : 10;
}

void writers_step(struct writers *w, int step) {
  int me = w->g->rank, writer = me - me % w->size;
  if (step % 2 == 1) return;
  if (me != writer) {
    MPI_Send(w->data, amount(w, me), MPI_DOUBLE, writer, 1, MPI_COMM_WORLD);
    return;
  }
  for (int r = me + 1; r < me + w->size && r < w->g->ranks; ++r) {
    MPI_Recv(w->data, amount(w, r), MPI_DOUBLE, r, 1, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  }
}

void writers_end(struct writers *w) {
  free(w->data);
  free(w);
}
