/* All to all in stages: in stage k with the rank k places on, or, where ranks
   are a power of two, with the one whose rank differs by k bit by bit. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct stages {
  struct stages_form form;
  const struct grid *g;
  double *out, *in;
};

struct stages *stages_start(const struct grid *g,
                            const struct stages_form *form) {
  struct stages *s = calloc(1, sizeof *s);
  s->form = *form;
  s->g = g;
  s->out = numbers(256);
  s->in = numbers(256 * g->ranks);
  return s;
}

static void in_turn(struct stages *s) {
  int ranks = s->g->ranks, me = s->g->rank;
  for (int k = 1; k < ranks; ++k) {
    int to = (me + k) % ranks, from = (me - k + ranks) % ranks, in = 12;
    int out = s->form.uneven ? share(s->g->mesh[0], ranks, to) : 12;
    if (s->form.uneven) in = share(s->g->mesh[0], ranks, me);
    MPI_Sendrecv(s->out, out, MPI_DOUBLE, to, 6, s->in, in, MPI_DOUBLE, from, 6,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void by_bits(struct stages *s) {
  int power = least_power(s->g->ranks);
  for (int k = 1; k < power; ++k) {
    int peer = s->g->rank ^ k;
    if (peer >= s->g->ranks) continue;
    MPI_Sendrecv(s->out, 12, MPI_DOUBLE, peer, 6, s->in, 12, MPI_DOUBLE, peer,
                 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void all_at_once(struct stages *s) {
  int ranks = s->g->ranks, n = 0;
  MPI_Request *r = malloc(sizeof *r * 2 * (size_t)ranks);
  for (int peer = 0; peer < ranks; ++peer) {
    if (peer == s->g->rank) continue;
    MPI_Irecv(s->in + 256 * peer, 12, MPI_DOUBLE, peer, 6, MPI_COMM_WORLD,
              &r[n++]);
  }
  for (int peer = 0; peer < ranks; ++peer) {
    if (peer == s->g->rank) continue;
    MPI_Isend(s->out, 12, MPI_DOUBLE, peer, 6, MPI_COMM_WORLD, &r[n++]);
  }
  finish(n, r, s->form.finish);
  free(r);
}

void stages_step(struct stages *s, int step) {
  (void)step;
  if (s->form.how == 0) {
    in_turn(s);
  } else if (s->form.how == 1) {
    by_bits(s);
  } else {
    all_at_once(s);
  }
}

void stages_end(struct stages *s) {
  free(s->out);
  free(s->in);
  free(s);
}
