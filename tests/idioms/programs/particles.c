/* What leaves a block goes to the neighbours: as much as it happens to be, told
   first, or found by looking at what has come. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct particles {
  struct particles_form form;
  const struct grid *g;
  double *out, *in;
};

struct particles *particles_start(const struct grid *g,
                                  const struct particles_form *form) {
  struct particles *p = calloc(1, sizeof *p);
  p->form = *form;
  p->g = g;
  p->out = numbers(128);
  p->in = numbers(128);
  return p;
}

static int leaving(const struct particles *p, int step, int to) {
  unsigned chance = mix((unsigned)p->form.seed,
                        (unsigned)(p->g->rank * 64 + to), (unsigned)step);
  return (int)(chance % 100);
}

static void told_first(struct particles *p, int to, int from, int n) {
  int coming = 0;
  MPI_Sendrecv(&n, 1, MPI_INT, to, 1, &coming, 1, MPI_INT, from, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(p->out, n, MPI_DOUBLE, to, 2, p->in, coming, MPI_DOUBLE, from, 2,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void looked_at(struct particles *p, int to, int from, int n) {
  MPI_Request request;
  MPI_Status status;
  int coming;
  MPI_Isend(p->out, n, MPI_DOUBLE, to, 2, MPI_COMM_WORLD, &request);
  MPI_Probe(from, 2, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_DOUBLE, &coming);
  MPI_Recv(p->in, coming, MPI_DOUBLE, from, 2, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void particles_step(struct particles *p, int step) {
  for (int s = 0; s < p->g->sides; ++s) {
    for (int up = -1; up <= 1; up += 2) {
      int to = next_along(p->g, s, up, 1), from = next_along(p->g, s, -up, 1);
      int n = leaving(p, step, to);
      if (p->form.told) {
        told_first(p, to, from, n);
      } else {
        looked_at(p, to, from, n);
      }
    }
  }
}

void particles_end(struct particles *p) {
  free(p->out);
  free(p->in);
  free(p);
}
