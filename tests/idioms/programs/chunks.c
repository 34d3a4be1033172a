/* A face goes in messages of so many points: as many as its side is long. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct chunks {
  struct chunks_form form;
  const struct grid *g;
  double *out, *in;
};

struct chunks *chunks_start(const struct grid *g,
                            const struct chunks_form *form) {
  struct chunks *c = calloc(1, sizeof *c);
  c->form = *form;
  c->g = g;
  c->out = numbers(16);
  c->in = numbers(16);
  return c;
}

void chunks_step(struct chunks *c, int step) {
  int side = step % c->g->sides, size = 4 + 4 * c->form.size;
  int to = next_along(c->g, side, 1, c->form.periodic);
  int from = next_along(c->g, side, -1, c->form.periodic);
  int points = c->g->sides == 1 ? c->g->mesh[1]
                                : block_side(c->g, (side + 1) % c->g->sides);
  for (int first = 0; first < points; first += size) {
    int n = points - first < size ? points - first : size;
    MPI_Request request;
    MPI_Irecv(c->in, n, MPI_DOUBLE, from, 5, MPI_COMM_WORLD, &request);
    MPI_Send(c->out, n, MPI_DOUBLE, to, 5, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

void chunks_end(struct chunks *c) {
  free(c->out);
  free(c->in);
  free(c);
}
