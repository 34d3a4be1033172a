/* Rank 0 has read the input and passes it on over a tree of all ranks, who may
   have summed up over it before; then they are a plane, that exchanges its rims
   and sums along its rows. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

enum { kRims, kRows, kRimsAndRows };

struct told_planes {
  struct told_planes_form form;
  const struct grid *g;
  MPI_Comm row;
  double *out, *in;
};

struct told_planes *told_planes_start(const struct grid *g,
                                      const struct told_planes_form *form) {
  struct told_planes *t = calloc(1, sizeof *t);
  int most = form->points;
  t->form = *form;
  t->g = g;
  for (int s = 0; s < g->sides; ++s) {
    if (face(g, s, 0) > most) most = face(g, s, 0);
  }
  t->out = numbers(most);
  t->in = numbers(most);
  MPI_Comm_split(MPI_COMM_WORLD, g->at[0], g->at[1], &t->row);
  return t;
}

static void pass(struct told_planes *t, int receives, int peer, int tag) {
  if (receives) {
    MPI_Recv(t->in, t->form.points, MPI_DOUBLE, peer, tag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  } else {
    MPI_Send(t->out, t->form.points, MPI_DOUBLE, peer, tag, MPI_COMM_WORLD);
  }
}

/* Children are a power of two on; the parent is where the lowest bit is not. */
static void sum_up(struct told_planes *t) {
  int rank = t->g->rank;
  for (int bit = 1; bit < t->g->ranks; bit *= 2) {
    if (rank & bit) {
      pass(t, 0, rank - bit, 4);
      return;
    }
    if (rank + bit < t->g->ranks) pass(t, 1, rank + bit, 4);
  }
}

static void tell(struct told_planes *t) {
  int rank = t->g->rank, bit = 1;
  while (bit < t->g->ranks && !(rank & bit)) bit *= 2;
  if (rank != 0) pass(t, 1, rank - bit, 5);
  for (bit /= 2; bit > 0; bit /= 2) {
    if (rank + bit < t->g->ranks) pass(t, 0, rank + bit, 5);
  }
}

static void exchange(struct told_planes *t) {
  for (int s = 0; s < t->g->sides; ++s) {
    int points = face(t->g, s, 0);
    for (int by = -1; by <= 1; by += 2) {
      MPI_Sendrecv(t->out, points, MPI_DOUBLE, next_along(t->g, s, by, 0), s,
                   t->in, points, MPI_DOUBLE, next_along(t->g, s, -by, 0), s,
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
}

void told_planes_step(struct told_planes *t, int step) {
  (void)step;
  if (t->form.sums) sum_up(t);
  tell(t);
  if (t->form.then != kRows) exchange(t);
  if (t->form.then == kRims) return;
  MPI_Allreduce(t->out, t->in, t->form.points, MPI_DOUBLE, MPI_SUM, t->row);
}

void told_planes_end(struct told_planes *t) {
  MPI_Comm_free(&t->row);
  free(t->out);
  free(t->in);
  free(t);
}
