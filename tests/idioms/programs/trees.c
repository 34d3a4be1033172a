/* A reduction and a broadcast of the program own making, over a tree. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

enum { kBinomial, kHeap, kTernary, kChain };

struct trees {
  struct trees_form form;
  int rank, ranks;
  double *data;
};

struct trees *trees_start(const struct grid *g, const struct trees_form *form) {
  struct trees *t = calloc(1, sizeof *t);
  t->form = *form;
  t->rank = g->rank;
  t->ranks = g->ranks;
  t->data = numbers(form->points * g->ranks);
  return t;
}

static void up(struct trees *t, int child) {
  if (child >= t->ranks) return;
  MPI_Recv(t->data, t->form.points, MPI_DOUBLE, child, 1, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
}

/* What a rank passes on: its own, or that of all ranks below it too. */
static int below(const struct trees *t, int rank, int bit) {
  int many = t->ranks - rank < bit ? t->ranks - rank : bit;
  return t->form.of_step == 2 ? t->form.points * many : t->form.points;
}

static void binomial_reduce(struct trees *t) {
  for (int bit = 1; bit < t->ranks; bit *= 2) {
    int tag = t->form.of_step == 1 ? bit : 1;
    int child = t->rank + bit;
    if (t->rank & bit) {
      MPI_Send(t->data, below(t, t->rank, bit), MPI_DOUBLE, t->rank - bit, tag,
               MPI_COMM_WORLD);
      return;
    }
    if (child >= t->ranks) continue;
    MPI_Recv(t->data, below(t, child, bit), MPI_DOUBLE, child, tag,
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void binomial_bcast(struct trees *t) {
  int bit = 1;
  while (bit < t->ranks && !(t->rank & bit)) bit *= 2;
  if (t->rank != 0) {
    MPI_Recv(t->data, t->form.points, MPI_DOUBLE, t->rank - bit, 2,
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  for (bit /= 2; bit > 0; bit /= 2) {
    if (t->rank + bit >= t->ranks) continue;
    MPI_Send(t->data, t->form.points, MPI_DOUBLE, t->rank + bit, 2,
             MPI_COMM_WORLD);
  }
}

static void arity_reduce(struct trees *t, int arity) {
  for (int c = 1; c <= arity; ++c) up(t, arity * t->rank + c);
  if (t->rank == 0) return;
  MPI_Send(t->data, t->form.points, MPI_DOUBLE, (t->rank - 1) / arity, 1,
           MPI_COMM_WORLD);
}

static void arity_bcast(struct trees *t, int arity) {
  if (t->rank != 0) {
    MPI_Recv(t->data, t->form.points, MPI_DOUBLE, (t->rank - 1) / arity, 2,
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  for (int c = 1; c <= arity; ++c) {
    int child = arity * t->rank + c;
    if (child >= t->ranks) break;
    MPI_Send(t->data, t->form.points, MPI_DOUBLE, child, 2, MPI_COMM_WORLD);
  }
}

void trees_step(struct trees *t, int step) {
  int arity = t->form.tree == kHeap ? 2 : t->form.tree == kTernary ? 3 : 1;
  (void)step;
  if (t->form.tree == kBinomial) {
    binomial_reduce(t);
    if (t->form.both) binomial_bcast(t);
  } else {
    arity_reduce(t, arity);
    if (t->form.both) arity_bcast(t, arity);
  }
}

void trees_end(struct trees *t) {
  free(t->data);
  free(t);
}
