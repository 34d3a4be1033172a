/* One-sided exchange with the neighbours alone: post, start, complete, wait. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct posts {
  struct posts_form form;
  MPI_Win window;
  MPI_Group neighbours;
  int n, peer[2 * kMostSides];
  double *data, *face;
};

struct posts *posts_start(const struct grid *g, const struct posts_form *form) {
  struct posts *p = calloc(1, sizeof *p);
  MPI_Group world;
  p->form = *form;
  for (int i = 0; i < 2 * g->sides; ++i) {
    int peer = next_along(g, i / 2, i % 2 ? 1 : -1, 0);
    if (peer != MPI_PROC_NULL) p->peer[p->n++] = peer;
  }
  p->data = numbers(64 * 6);
  p->face = numbers(64);
  MPI_Win_create(p->data, (MPI_Aint)sizeof(double) * 384, sizeof(double),
                 MPI_INFO_NULL, MPI_COMM_WORLD, &p->window);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, p->n, p->peer, &p->neighbours);
  MPI_Group_free(&world);
  return p;
}

void posts_step(struct posts *p, int step) {
  (void)step;
  MPI_Win_post(p->neighbours, 0, p->window);
  MPI_Win_start(p->neighbours, 0, p->window);
  for (int i = 0; i < p->n; ++i) {
    MPI_Put(p->face, p->form.points, MPI_DOUBLE, p->peer[i], 64 * (i % 6),
            p->form.points, MPI_DOUBLE, p->window);
  }
  MPI_Win_complete(p->window);
  MPI_Win_wait(p->window);
}

void posts_end(struct posts *p) {
  MPI_Group_free(&p->neighbours);
  MPI_Win_free(&p->window);
  free(p->data);
  free(p->face);
  free(p);
}
