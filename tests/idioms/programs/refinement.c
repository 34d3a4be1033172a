/* A front moves through the ranks: those that it has reached exchange more, and
   with more. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct refinement {
  struct refinement_form form;
  const struct grid *g;
  double *out, *in;
};

struct refinement *refinement_start(const struct grid *g,
                                    const struct refinement_form *form) {
  struct refinement *f = calloc(1, sizeof *f);
  f->form = *form;
  f->g = g;
  f->out = numbers(256);
  f->in = numbers(256);
  return f;
}

/* How fine the part of a rank is in a step. */
static int level(const struct refinement *f, int rank, int step) {
  int front = (step + 1) * f->g->ranks / (4 + f->form.speed);
  int away = rank > front ? rank - front : front - rank;
  return away < f->g->ranks / 8 + 1 ? 2 : away < f->g->ranks / 4 + 1 ? 1 : 0;
}

static void with_neighbour(struct refinement *f, int peer, int step) {
  int mine = level(f, f->g->rank, step), theirs = level(f, peer, step);
  int finer = mine > theirs ? mine : theirs, n = 1 << finer;
  for (int i = 0; i < n; ++i) {
    MPI_Sendrecv(f->out, 16 << finer, MPI_DOUBLE, peer, i, f->in, 16 << finer,
                 MPI_DOUBLE, peer, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

void refinement_step(struct refinement *f, int step) {
  int me = f->g->rank;
  for (int round = 0; round <= 1; ++round) {
    int peer = me % 2 == round ? me + 1 : me - 1;
    if (peer >= 0 && peer < f->g->ranks) with_neighbour(f, peer, step);
  }
}

void refinement_end(struct refinement *f) {
  free(f->out);
  free(f->in);
  free(f);
}
