/* A sum is begun, neighbours are talked to, and then it is waited for. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct overlap {
  struct overlap_form form;
  const struct grid *g;
  double in[8], out[8];
};

struct overlap *overlap_start(const struct grid *g,
                              const struct overlap_form *form) {
  struct overlap *o = calloc(1, sizeof *o);
  o->form = *form;
  o->g = g;
  return o;
}

void overlap_step(struct overlap *o, int step) {
  int up = next_along(o->g, 0, 1, 1), down = next_along(o->g, 0, -1, 1);
  MPI_Request sum, r[2];
  double got[4];
  (void)step;
  MPI_Iallreduce(o->in, o->out, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &sum);
  MPI_Irecv(got, 4, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(o->in, 4, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &r[1]);
  if (o->form.tests) {
    int flag = 0;
    while (!flag) MPI_Test(&sum, &flag, MPI_STATUS_IGNORE);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  } else {
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Wait(&sum, MPI_STATUS_IGNORE);
  }
}

void overlap_end(struct overlap *o) { free(o); }
