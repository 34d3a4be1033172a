/* LU of a matrix dealt out in blocks by turns over a grid: a panel goes along
   rows, the blocks beside it along columns; what a rank has of it gets less. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct block_cyclic {
  struct block_cyclic_form form;
  const struct grid *g;
  MPI_Comm row, column;
  int blocks;
  double *data;
};

struct block_cyclic *block_cyclic_start(const struct grid *g,
                                        const struct block_cyclic_form *form) {
  struct block_cyclic *x = calloc(1, sizeof *x);
  x->form = *form;
  x->g = g;
  MPI_Comm_split(MPI_COMM_WORLD, g->at[0], g->at[1], &x->row);
  MPI_Comm_split(MPI_COMM_WORLD, g->at[1], g->at[0], &x->column);
  x->blocks = form->weak ? 2 * g->side[0] * g->side[1] : 24;
  x->data = numbers(4 * x->blocks + 4);
  return x;
}

/* Blocks of so many, dealt out from place 0 on, that place has from k on. */
static int blocks_from(int k, int blocks, int places, int place) {
  int n = 0;
  for (int b = k; b < blocks; ++b) n += b % places == place;
  return n;
}

void block_cyclic_step(struct block_cyclic *x, int step) {
  const struct grid *g = x->g;
  (void)step;
  for (int k = 0; k < x->blocks; ++k) {
    int rows = blocks_from(k, x->blocks, g->side[0], g->at[0]);
    int columns = blocks_from(k + 1, x->blocks, g->side[1], g->at[1]);
    if (x->form.pivots && g->at[1] == k % g->side[1]) {
      int in[2] = {0, 0}, out[2];
      MPI_Allreduce(in, out, 1, MPI_2INT, MPI_MAXLOC, x->column);
    }
    MPI_Bcast(x->data, 4 * rows, MPI_DOUBLE, k % g->side[1], x->row);
    MPI_Bcast(x->data, 4 * columns, MPI_DOUBLE, k % g->side[0], x->column);
  }
}

void block_cyclic_end(struct block_cyclic *x) {
  MPI_Comm_free(&x->row);
  MPI_Comm_free(&x->column);
  free(x->data);
  free(x);
}
