/* Two components, each with a part of the ranks and a communicator: they step
   among their own ranks, as the models of a coupled one or those that write
   files do, and their first ranks exchange what the other one needs. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct components {
  struct components_form form;
  MPI_Comm own;
  int second;      /* whether this rank is of the second component */
  int rank, ranks; /* within the own one */
  int other;       /* first rank of the other one, in the world; or none */
  double *out, *in;
};

static int is_second(int rank, int ranks, int how) {
  int few = ranks / 4 > 1 ? ranks / 4 : 1;
  if (how == 0) return rank >= ranks - few;
  if (how == 1) return rank >= 2 * ranks / 3;
  if (how == 2) return rank % 4 == 3;
  if (how == 3) return rank > 0;
  return rank >= (ranks + 1) / 2;
}

struct components *components_start(const struct grid *g,
                                    const struct components_form *form) {
  struct components *c = calloc(1, sizeof *c);
  c->form = *form;
  c->second = is_second(g->rank, g->ranks, form->how);
  MPI_Comm_split(MPI_COMM_WORLD, c->second, g->rank, &c->own);
  MPI_Comm_rank(c->own, &c->rank);
  MPI_Comm_size(c->own, &c->ranks);
  c->other = MPI_PROC_NULL;
  for (int r = g->ranks - 1; r >= 0; --r) {
    if (is_second(r, g->ranks, form->how) != c->second) c->other = r;
  }
  c->out = numbers(128);
  c->in = numbers(128);
  return c;
}

static void exchange(struct components *c, int n, int tag) {
  int up = c->rank + 1, down = c->rank - 1;
  if (c->form.ring) {
    up = up % c->ranks;
    down = (down + c->ranks) % c->ranks;
  } else {
    if (up == c->ranks) up = MPI_PROC_NULL;
    if (down < 0) down = MPI_PROC_NULL;
  }
  MPI_Sendrecv(c->out, n, MPI_DOUBLE, up, tag, c->in, 128, MPI_DOUBLE, down,
               tag, c->own, MPI_STATUS_IGNORE);
}

void components_step(struct components *c, int step) {
  int steps = c->form.longer && !c->second ? 3 : 1;
  int whole = c->form.wholes && c->second ? 61 : 97;
  int n = c->form.uneven ? share(whole, c->ranks, c->rank) : 24;
  for (int k = 0; k < steps; ++k) exchange(c, n, 1 + c->second);
  MPI_Allreduce(c->out, c->in, 4, MPI_DOUBLE, MPI_SUM, c->own);
  if (c->rank == 0 && c->form.coupled) {
    MPI_Sendrecv(c->out, 40, MPI_DOUBLE, c->other, 5, c->in, 40, MPI_DOUBLE,
                 c->other, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (step % 2 == 1) MPI_Bcast(c->in, 10, MPI_DOUBLE, 0, c->own);
}

void components_end(struct components *c) {
  MPI_Comm_free(&c->own);
  free(c->out);
  free(c->in);
  free(c);
}
