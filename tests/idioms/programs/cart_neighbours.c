/* Neighbourhood collectives on a Cartesian communicator. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct cart_neighbours {
  struct cart_neighbours_form form;
  MPI_Comm cart;
  int counts[2 * kMostSides], offsets[2 * kMostSides];
  double *out, *in;
};

struct cart_neighbours *cart_neighbours_start(
    const struct grid *g, const struct cart_neighbours_form *form) {
  struct cart_neighbours *c = calloc(1, sizeof *c);
  int periods[kMostSides], at[kMostSides], rank, sum = 0;
  c->form = *form;
  for (int s = 0; s < g->sides; ++s) periods[s] = form->periodic;
  MPI_Cart_create(MPI_COMM_WORLD, g->sides, g->side, periods, 0, &c->cart);
  MPI_Comm_rank(c->cart, &rank);
  MPI_Cart_coords(c->cart, rank, g->sides, at);
  for (int s = 0; s < g->sides; ++s) {
    int points = 1;
    for (int o = 0; o < g->sides; ++o) {
      if (o != s) points *= share(g->mesh[o], g->side[o], at[o]);
    }
    for (int up = 0; up <= 1; ++up) {
      c->counts[2 * s + up] = points;
      c->offsets[2 * s + up] = sum;
      sum += points;
    }
  }
  c->out = numbers(sum + 6 * 64);
  c->in = numbers(sum + 6 * 64);
  return c;
}

void cart_neighbours_step(struct cart_neighbours *c, int step) {
  (void)step;
  if (c->form.how == 0) {
    MPI_Neighbor_alltoall(c->out, 64, MPI_DOUBLE, c->in, 64, MPI_DOUBLE,
                          c->cart);
  } else if (c->form.how == 1) {
    MPI_Neighbor_alltoallv(c->out, c->counts, c->offsets, MPI_DOUBLE, c->in,
                           c->counts, c->offsets, MPI_DOUBLE, c->cart);
  } else {
    MPI_Neighbor_allgather(c->out, 64, MPI_DOUBLE, c->in, 64, MPI_DOUBLE,
                           c->cart);
  }
}

void cart_neighbours_end(struct cart_neighbours *c) {
  MPI_Comm_free(&c->cart);
  free(c->out);
  free(c->in);
  free(c);
}
