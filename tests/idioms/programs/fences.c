/* Faces are put to the neighbours, or got from them, between fences. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct fences {
  struct fences_form form;
  const struct grid *g;
  MPI_Win window;
  double *data, *face;
};

struct fences *fences_start(const struct grid *g,
                            const struct fences_form *form) {
  struct fences *f = calloc(1, sizeof *f);
  int points = 64 * 2 * g->sides;
  f->form = *form;
  f->g = g;
  f->data = numbers(points);
  f->face = numbers(64);
  MPI_Win_create(f->data, (MPI_Aint)sizeof(double) * points, sizeof(double),
                 MPI_INFO_NULL, MPI_COMM_WORLD, &f->window);
  MPI_Win_fence(MPI_MODE_NOPRECEDE, f->window);
  return f;
}

void fences_step(struct fences *f, int step) {
  (void)step;
  for (int i = 0; i < 2 * f->g->sides; ++i) {
    int n = f->form.points ? 48 : 20;
    int peer = next_along(f->g, i / 2, i % 2 ? 1 : -1, f->form.periodic);
    if (peer == MPI_PROC_NULL) continue;
    if (f->form.gets) {
      MPI_Get(f->face, n, MPI_DOUBLE, peer, 64 * (i ^ 1), n, MPI_DOUBLE,
              f->window);
    } else {
      MPI_Put(f->face, n, MPI_DOUBLE, peer, 64 * (i ^ 1), n, MPI_DOUBLE,
              f->window);
    }
  }
  MPI_Win_fence(0, f->window);
}

void fences_end(struct fences *f) {
  MPI_Win_free(&f->window);
  free(f->data);
  free(f->face);
  free(f);
}
