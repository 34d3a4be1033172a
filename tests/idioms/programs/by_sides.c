/* One side after the other: who has a neighbour below exchanges with it, then
 * with the one above, and waits for both. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct by_sides {
  struct by_sides_form form;
  const struct grid *g;
  double *out, *in;
};

struct by_sides *by_sides_start(const struct grid *g,
                                const struct by_sides_form *form) {
  struct by_sides *b = calloc(1, sizeof *b);
  b->form = *form;
  b->g = g;
  b->out = numbers(4096);
  b->in = numbers(2 * 4096);
  return b;
}

static inline __attribute__((always_inline)) void exchange(struct by_sides *b,
                                                           int with, int points,
                                                           int above,
                                                           MPI_Request *receive,
                                                           MPI_Request *send) {
  MPI_Irecv(b->in + (above ? 4096 : 0), points, MPI_DOUBLE, with, 7,
            MPI_COMM_WORLD, receive);
  MPI_Isend(b->out, points, MPI_DOUBLE, with, 7, MPI_COMM_WORLD, send);
}

static void along(struct by_sides *b, int below, int above, int points) {
  int n = (below != MPI_PROC_NULL) + (above != MPI_PROC_NULL), i = 0;
  MPI_Request requests[4];
  if (below != MPI_PROC_NULL) {
    exchange(b, below, points, 0, &requests[i], &requests[n + i]);
    ++i;
  }
  if (above != MPI_PROC_NULL) {
    exchange(b, above, points, 1, &requests[i], &requests[n + i]);
  }
  MPI_Waitall(2 * n, requests, MPI_STATUSES_IGNORE);
}

/* The same with calls of its own on each path, as compilers make of conditions
 * that are asked twice. */
static void along_each_path(struct by_sides *b, int below, int above,
                            int points) {
  MPI_Request requests[4];
  if (below == MPI_PROC_NULL && above == MPI_PROC_NULL) {
    MPI_Waitall(0, requests, MPI_STATUSES_IGNORE);
  } else if (below == MPI_PROC_NULL) {
    exchange(b, above, points, 1, &requests[0], &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  } else {
    exchange(b, below, points, 0, &requests[0],
             &requests[above == MPI_PROC_NULL ? 1 : 2]);
    if (above == MPI_PROC_NULL) {
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else {
      exchange(b, above, points, 1, &requests[1], &requests[3]);
      MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    }
  }
}

void by_sides_step(struct by_sides *b, int step) {
  (void)step;
  for (int s = 0; s < b->g->sides; ++s) {
    int below = next_along(b->g, s, -1, 0), above = next_along(b->g, s, 1, 0);
    int points = b->form.faces ? face(b->g, s, 0) : 3;
    if (b->form.copies) {
      along_each_path(b, below, above, points);
    } else {
      along(b, below, above, points);
    }
  }
}

void by_sides_end(struct by_sides *b) {
  free(b->out);
  free(b->in);
  free(b);
}
