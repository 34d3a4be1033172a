/* Partners whose ranks differ in one bit, bit after bit: recursive doubling,
   or halving, where what is exchanged grows or shrinks. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct butterfly {
  struct butterfly_form form;
  int rank, ranks;
  double *out, *in;
};

struct butterfly *butterfly_start(const struct grid *g,
                                  const struct butterfly_form *form) {
  struct butterfly *b = calloc(1, sizeof *b);
  b->form = *form;
  b->rank = g->rank;
  b->ranks = g->ranks;
  b->out = numbers(8 * g->ranks + 4096);
  b->in = numbers(8 * g->ranks + 4096);
  return b;
}

static void exchange_with(struct butterfly *b, int peer, int n) {
  MPI_Request r[2];
  if (b->form.sendrecv) {
    MPI_Sendrecv(b->out, n, MPI_DOUBLE, peer, 1, b->in, n, MPI_DOUBLE, peer, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return;
  }
  MPI_Irecv(b->in, n, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(b->out, n, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}

void butterfly_step(struct butterfly *b, int step) {
  (void)step;
  if (b->form.how == 0) {
    for (int bit = 1; bit < b->ranks; bit *= 2) {
      exchange_with(b, b->rank ^ bit, 16);
    }
  } else if (b->form.how == 1) {
    for (int bit = 1; bit < b->ranks; bit *= 2) {
      exchange_with(b, b->rank ^ bit, 8 * bit);
    }
  } else {
    int n = 1 << b->form.halves;
    for (int bit = b->ranks / 2; bit > 0; bit /= 2) {
      n /= 2;
      exchange_with(b, b->rank ^ bit, n);
    }
    /* What each has of the sum goes the same way back. */
    for (int bit = 1; b->form.back && bit < b->ranks; bit *= 2) {
      exchange_with(b, b->rank ^ bit, n);
      n *= 2;
    }
  }
}

void butterfly_end(struct butterfly *b) {
  free(b->out);
  free(b->in);
  free(b);
}
