/* A part of the ranks is halved again and again: each rank talks to its mirror
   image in the other half, and the odd one in the middle to the first there. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct halvings {
  struct halvings_form form;
  int rank, ranks;
  double *out, *in;
};

struct halvings *halvings_start(const struct grid *g,
                                const struct halvings_form *form) {
  struct halvings *h = calloc(1, sizeof *h);
  h->form = *form;
  h->rank = g->rank;
  h->ranks = g->ranks;
  h->out = numbers(64);
  h->in = numbers(64);
  return h;
}

static void with_mirror(struct halvings *h, int peer) {
  MPI_Request request;
  if (h->form.sendrecv) {
    MPI_Sendrecv(h->out, 30, MPI_DOUBLE, peer, 1, h->in, 30, MPI_DOUBLE, peer,
                 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return;
  }
  MPI_Irecv(h->in, 30, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD, &request);
  MPI_Send(h->out, 30, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void halvings_step(struct halvings *h, int step) {
  int first = 0, n = h->ranks, me = h->rank;
  (void)step;
  while (n > 1) {
    int low = (n + 1) / 2, second = first + low;
    int peer = first + n - 1 - (me - first);
    if (peer == me) {
      MPI_Send(h->out, 30, MPI_DOUBLE, second, 2, MPI_COMM_WORLD);
    } else {
      with_mirror(h, peer);
    }
    if (n % 2 == 1 && me == second) {
      MPI_Recv(h->in, 30, MPI_DOUBLE, second - 1, 2, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    }
    if (me >= second) {
      first = second;
      n -= low;
    } else {
      n = low;
    }
  }
}

void halvings_end(struct halvings *h) {
  free(h->out);
  free(h->in);
  free(h);
}
