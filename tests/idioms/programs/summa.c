/* SUMMA: panels of one matrix go along the rows of a grid, of the other along
   its columns. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct summa {
  struct summa_form form;
  const struct grid *g;
  MPI_Comm row, column;
  double *a, *b;
};

struct summa *summa_start(const struct grid *g, const struct summa_form *form) {
  struct summa *x = calloc(1, sizeof *x);
  x->form = *form;
  x->g = g;
  MPI_Comm_split(MPI_COMM_WORLD, g->at[0], g->at[1], &x->row);
  MPI_Comm_split(MPI_COMM_WORLD, g->at[1], g->at[0], &x->column);
  x->a = numbers(g->mesh[0] * 4);
  x->b = numbers(g->mesh[1] * 4);
  return x;
}

void summa_step(struct summa *x, int step) {
  const struct grid *g = x->g;
  int panels = x->form.panels == 0   ? g->side[1]
               : x->form.panels == 1 ? g->side[0] * g->side[1]
                                     : 12;
  (void)step;
  for (int k = 0; k < panels; ++k) {
    MPI_Bcast(x->a, block_side(g, 0) * 4, MPI_DOUBLE, k % g->side[1], x->row);
    MPI_Bcast(x->b, block_side(g, 1) * 4, MPI_DOUBLE, k % g->side[0],
              x->column);
  }
}

void summa_end(struct summa *x) {
  MPI_Comm_free(&x->row);
  MPI_Comm_free(&x->column);
  free(x->a);
  free(x->b);
  free(x);
}
