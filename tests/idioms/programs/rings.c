/* Everything goes once around a ring of all ranks. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct rings {
  struct rings_form form;
  const struct grid *g;
  double *out, *in;
};

struct rings *rings_start(const struct grid *g, const struct rings_form *form) {
  struct rings *r = calloc(1, sizeof *r);
  r->form = *form;
  r->g = g;
  r->out = numbers(g->mesh[0]);
  r->in = numbers(g->mesh[0]);
  return r;
}

void rings_step(struct rings *r, int step) {
  int ranks = r->g->ranks, me = r->g->rank;
  int to = (me + 1) % ranks, from = (me + ranks - 1) % ranks;
  (void)step;
  for (int k = 0; k < ranks - 1; ++k) {
    int out = 40, in = 40;
    if (r->form.uneven) {
      out = share(r->g->mesh[0], ranks, (me - k + ranks) % ranks);
      in = share(r->g->mesh[0], ranks, (from - k + ranks) % ranks);
    }
    if (r->form.how == 0) {
      MPI_Sendrecv(r->out, out, MPI_DOUBLE, to, 4, r->in, in, MPI_DOUBLE, from,
                   4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Request requests[2];
      MPI_Irecv(r->in, in, MPI_DOUBLE, from, k, MPI_COMM_WORLD, &requests[0]);
      MPI_Isend(r->out, out, MPI_DOUBLE, to, k, MPI_COMM_WORLD, &requests[1]);
      finish(2, requests, r->form.how == 1 ? kWaitall : kWaitEach);
    }
  }
}

void rings_end(struct rings *r) {
  free(r->out);
  free(r->in);
  free(r);
}
