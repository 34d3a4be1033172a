/* Elimination column by column, as in LU, Gauss-Jordan and Floyd's shortest
   paths: who has the column tells all others, and less is left each time. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct elimination {
  struct elimination_form form;
  const struct grid *g;
  int n;
  double *row;
};

struct elimination *elimination_start(const struct grid *g,
                                      const struct elimination_form *form) {
  struct elimination *x = calloc(1, sizeof *x);
  x->form = *form;
  x->g = g;
  x->n = form->weak ? 4 * g->ranks : 48;
  x->row = numbers(x->n + 1);
  return x;
}

static int owner(const struct elimination *x, int k) {
  int ranks = x->g->ranks, each = (x->n + ranks - 1) / ranks;
  return x->form.cyclic ? k % ranks : k / each;
}

/* From the owner on to the next, until all have it. */
static void pass_round(struct elimination *x, int left, int root) {
  int ranks = x->g->ranks, me = x->g->rank, at = (me - root + ranks) % ranks;
  if (at > 0) {
    MPI_Recv(x->row, left, MPI_DOUBLE, (me + ranks - 1) % ranks, 1,
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (at < ranks - 1) {
    MPI_Send(x->row, left, MPI_DOUBLE, (me + 1) % ranks, 1, MPI_COMM_WORLD);
  }
}

/* The solution column by column from the last one: what is left of the right
   side goes to who has the column before. */
static void substitute(struct elimination *x) {
  for (int k = x->n - 1; k >= 0; --k) {
    if (owner(x, k) != x->g->rank) continue;
    if (k < x->n - 1 && owner(x, k + 1) != x->g->rank) {
      MPI_Recv(x->row, k + 1, MPI_DOUBLE, owner(x, k + 1), 2, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    }
    if (k > 0 && owner(x, k - 1) != x->g->rank) {
      MPI_Send(x->row, k, MPI_DOUBLE, owner(x, k - 1), 2, MPI_COMM_WORLD);
    }
  }
}

void elimination_step(struct elimination *x, int step) {
  int in[2] = {0, 0}, out[2];
  (void)step;
  for (int k = 0; k < x->n; ++k) {
    int left = x->form.shrinks ? x->n - k : x->n;
    if (x->form.pivots) {
      MPI_Allreduce(in, out, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
    }
    if (x->form.ring) {
      pass_round(x, left, owner(x, k));
    } else {
      MPI_Bcast(x->row, left, MPI_DOUBLE, owner(x, k), MPI_COMM_WORLD);
    }
  }
  if (x->form.back) substitute(x);
}

void elimination_end(struct elimination *x) {
  free(x->row);
  free(x);
}
