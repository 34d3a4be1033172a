/* Requests made once, started in every step: all at once or one by one. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

enum { kMost = 6 };

struct persistent {
  struct persistent_form form;
  int n;
  MPI_Request requests[2 * kMost];
  double *out, *in;
};

struct persistent *persistent_start(const struct grid *g,
                                    const struct persistent_form *form) {
  struct persistent *p = calloc(1, sizeof *p);
  int peer[kMost], points[kMost], tag[kMost], most = 1;
  p->form = *form;
  for (int s = 0; s < g->sides; ++s) {
    for (int up = 0; up <= 1; ++up) {
      int next = next_along(g, s, up ? 1 : -1, form->periodic);
      if (next == MPI_PROC_NULL && !form->nobody) continue;
      peer[p->n] = next;
      points[p->n] = face(g, s, form->rim);
      tag[p->n] = 2 * s + up;
      if (points[p->n] > most) most = points[p->n];
      ++p->n;
    }
  }
  p->out = numbers(most);
  p->in = numbers(most * (p->n + 1));
  for (int i = 0; i < p->n; ++i) {
    MPI_Recv_init(p->in + i * most, points[i], MPI_DOUBLE, peer[i], tag[i] ^ 1,
                  MPI_COMM_WORLD, &p->requests[i]);
    MPI_Send_init(p->out, points[i], MPI_DOUBLE, peer[i], tag[i],
                  MPI_COMM_WORLD, &p->requests[p->n + i]);
  }
  return p;
}

void persistent_step(struct persistent *p, int step) {
  (void)step;
  if (p->form.all) {
    MPI_Startall(2 * p->n, p->requests);
  } else {
    for (int i = 0; i < 2 * p->n; ++i) MPI_Start(&p->requests[i]);
  }
  if (p->form.each) {
    for (int i = 0; i < 2 * p->n; ++i) {
      MPI_Wait(&p->requests[i], MPI_STATUS_IGNORE);
    }
  } else {
    MPI_Waitall(2 * p->n, p->requests, MPI_STATUSES_IGNORE);
  }
}

void persistent_end(struct persistent *p) {
  for (int i = 0; i < 2 * p->n; ++i) MPI_Request_free(&p->requests[i]);
  free(p->out);
  free(p->in);
  free(p);
}
