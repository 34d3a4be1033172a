/* Receives ask for all that a buffer has room for, which is the same for all
   directions: as much as the longest face, and a head. Messages are as long as
   their own face. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct buffers {
  struct buffers_form form;
  const struct grid *g;
  int room;
  double *out, *in;
};

/* Points of the longest face of my block, or of any rank's. */
static int longest_face(const struct grid *g, int of_all) {
  int longest = 0;
  for (int side = 0; side < g->sides; ++side) {
    int points = 1;
    for (int s = 0; s < g->sides; ++s) {
      if (s == side) continue;
      points *= of_all ? share(g->mesh[s], g->side[s], 0) : block_side(g, s);
    }
    if (points > longest) longest = points;
  }
  return longest;
}

struct buffers *buffers_start(const struct grid *g,
                              const struct buffers_form *form) {
  static const int heads[] = {0, 6, 66};
  struct buffers *b = calloc(1, sizeof *b);
  b->form = *form;
  b->g = g;
  b->room = heads[form->head] + form->times * longest_face(g, form->of_all);
  b->out = numbers(b->room);
  b->in = numbers(2 * kMostSides * b->room);
  return b;
}

void buffers_step(struct buffers *b, int step) {
  MPI_Request requests[4 * kMostSides];
  int n = 0;
  (void)step;
  for (int way = 0; way < 2 * b->g->sides; ++way) {
    int from = next_along(b->g, way / 2, way % 2 ? 1 : -1, b->form.periodic);
    if (from == MPI_PROC_NULL) continue;
    MPI_Irecv(b->in + way * b->room, b->room, MPI_DOUBLE, from, way,
              MPI_COMM_WORLD, &requests[n++]);
  }
  for (int way = 0; way < 2 * b->g->sides; ++way) {
    int to = next_along(b->g, way / 2, way % 2 ? -1 : 1, b->form.periodic);
    int points = face(b->g, way / 2, 0) * (b->form.packed ? b->form.times : 1);
    if (to == MPI_PROC_NULL) continue;
    MPI_Isend(b->out, points, MPI_DOUBLE, to, way, MPI_COMM_WORLD,
              &requests[n++]);
  }
  MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
}

void buffers_end(struct buffers *b) {
  free(b->out);
  free(b->in);
  free(b);
}
