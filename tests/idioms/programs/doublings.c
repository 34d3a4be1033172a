/* By powers of two on any number of ranks: a scan, a barrier by dissemination,
   and a sum by recursive doubling into which the ranks beyond the last power
   are folded first. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct doublings {
  struct doublings_form form;
  const struct grid *g;
  double *out, *in;
};

struct doublings *doublings_start(const struct grid *g,
                                  const struct doublings_form *form) {
  struct doublings *x = calloc(1, sizeof *x);
  x->form = *form;
  x->g = g;
  x->out = numbers(32);
  x->in = numbers(32);
  return x;
}

static void swap(struct doublings *x, int to, int from) {
  int n = x->form.points;
  if (x->form.sendrecv) {
    MPI_Sendrecv(x->out, n, MPI_DOUBLE, to, 2, x->in, n, MPI_DOUBLE, from, 2,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return;
  }
  MPI_Request r[2];
  MPI_Irecv(x->in, n, MPI_DOUBLE, from, 2, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(x->out, n, MPI_DOUBLE, to, 2, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}

static void scan(struct doublings *x) {
  int me = x->g->rank, ranks = x->g->ranks, n = x->form.points;
  for (int by = 1; by < ranks; by *= 2) {
    if (me + by < ranks) {
      MPI_Send(x->out, n, MPI_DOUBLE, me + by, 1, MPI_COMM_WORLD);
    }
    if (me - by >= 0) {
      MPI_Recv(x->in, n, MPI_DOUBLE, me - by, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    }
  }
}

static void fold(struct doublings *x) {
  int me = x->g->rank, ranks = x->g->ranks, n = x->form.points, power = 1;
  while (2 * power <= ranks) power *= 2;
  int over = ranks - power, place = me - over;
  if (me < 2 * over && me % 2 == 0) {
    MPI_Send(x->out, n, MPI_DOUBLE, me + 1, 3, MPI_COMM_WORLD);
    place = -1;
  } else if (me < 2 * over) {
    MPI_Recv(x->in, n, MPI_DOUBLE, me - 1, 3, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    place = me / 2;
  }
  for (int by = 1; by < power && place >= 0; by *= 2) {
    int peer = place ^ by;
    peer = peer < over ? 2 * peer + 1 : peer + over;
    swap(x, peer, peer);
  }
  if (me < 2 * over && me % 2 == 0) {
    MPI_Recv(x->in, n, MPI_DOUBLE, me + 1, 4, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  } else if (me < 2 * over) {
    MPI_Send(x->out, n, MPI_DOUBLE, me - 1, 4, MPI_COMM_WORLD);
  }
}

void doublings_step(struct doublings *x, int step) {
  int me = x->g->rank, ranks = x->g->ranks;
  (void)step;
  if (x->form.how == 0) {
    scan(x);
  } else if (x->form.how == 1) {
    for (int by = 1; by < ranks; by *= 2) {
      swap(x, (me + by) % ranks, (me + ranks - by) % ranks);
    }
  } else {
    fold(x);
  }
}

void doublings_end(struct doublings *x) {
  free(x->out);
  free(x->in);
  free(x);
}
