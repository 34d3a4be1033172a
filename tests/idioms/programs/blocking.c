/* Blocking sends and receives in an order that cannot hang: even places send
   first, or a receive is begun before. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct blocking {
  struct blocking_form form;
  const struct grid *g;
  double *out, *in;
};

struct blocking *blocking_start(const struct grid *g,
                                const struct blocking_form *form) {
  struct blocking *b = calloc(1, sizeof *b);
  b->form = *form;
  b->g = g;
  b->out = numbers(form->points);
  b->in = numbers(form->points);
  return b;
}

static void even_first(struct blocking *b, int side, int peer) {
  int n = b->form.points;
  if (b->g->at[side] % 2 == 0) {
    MPI_Send(b->out, n, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD);
    MPI_Recv(b->in, n, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(b->in, n, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(b->out, n, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD);
  }
}

static void receive_begun(struct blocking *b, int peer) {
  int n = b->form.points;
  MPI_Request request;
  MPI_Irecv(b->in, n, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD, &request);
  MPI_Send(b->out, n, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void send_begun(struct blocking *b, int peer) {
  int n = b->form.points;
  MPI_Request request;
  MPI_Isend(b->out, n, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD, &request);
  MPI_Recv(b->in, n, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void blocking_step(struct blocking *b, int step) {
  (void)step;
  for (int s = 0; s < b->g->sides; ++s) {
    /* Pairs that meet at even borders, then those at odd ones. */
    for (int round = 0; round <= 1; ++round) {
      int up = b->g->at[s] % 2 == round;
      int peer = next_along(b->g, s, up ? 1 : -1, 0);
      if (peer == MPI_PROC_NULL) continue;
      if (b->form.how == 0) {
        even_first(b, s, peer);
      } else if (b->form.how == 1) {
        receive_begun(b, peer);
      } else {
        send_begun(b, peer);
      }
    }
  }
}

void blocking_end(struct blocking *b) {
  free(b->out);
  free(b->in);
  free(b);
}
