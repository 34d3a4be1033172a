/* Panels of a matrix that lie in blocks along a line of ranks: each goes from
   its owner to all, round a ring or by a broadcast. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

enum { kPanels = 24 };

struct panels {
  struct panels_form form;
  const struct grid *g;
  MPI_Comm line;
  int ranks, at, count;
  double *panel;
};

struct panels *panels_start(const struct grid *g,
                            const struct panels_form *form) {
  struct panels *x = calloc(1, sizeof *x);
  int side = g->sides - 1;
  x->form = *form;
  x->g = g;
  x->ranks = g->side[side];
  x->at = g->at[side];
  x->count = form->uneven ? kPanels + 5 : kPanels;
  int place = 0;
  for (int s = 0; s < side; ++s) place = place * g->side[s] + g->at[s];
  MPI_Comm_split(MPI_COMM_WORLD, place, x->at, &x->line);
  x->panel = numbers(64);
  return x;
}

static int owner_of(const struct panels *x, int panel) {
  int part = 0, end = 0;
  for (;;) {
    end += part_of(x->count, x->ranks, part, x->form.cut);
    if (panel < end || part == x->ranks - 1) return part;
    ++part;
  }
}

static void pass_round(struct panels *x, int owner) {
  int next = (x->at + 1) % x->ranks, tag = x->form.tags ? owner : 7;
  if (x->at != owner) {
    MPI_Recv(x->panel, 64, MPI_DOUBLE, (x->at + x->ranks - 1) % x->ranks, tag,
             x->line, MPI_STATUS_IGNORE);
  }
  if (next != owner) {
    MPI_Send(x->panel, 64, MPI_DOUBLE, next, tag, x->line);
  }
}

void panels_step(struct panels *x, int step) {
  /* The first step is not timed. */
  if (x->form.apart && step == 1) MPI_Barrier(MPI_COMM_WORLD);
  for (int k = 0; k < x->count; ++k) {
    if (x->form.ring) {
      pass_round(x, owner_of(x, k));
    } else {
      MPI_Bcast(x->panel, 64, MPI_DOUBLE, owner_of(x, k), x->line);
    }
  }
}

void panels_end(struct panels *x) {
  MPI_Comm_free(&x->line);
  free(x->panel);
  free(x);
}
