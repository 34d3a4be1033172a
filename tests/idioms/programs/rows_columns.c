/* A communicator for each row and each column of a plane; panels go out from
   each of its members in turn, or sums are formed along them. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct rows_columns {
  struct rows_columns_form form;
  MPI_Comm row, column;
  int width, height;
  double *data, *sum;
};

struct rows_columns *rows_columns_start(const struct grid *g,
                                        const struct rows_columns_form *form) {
  struct rows_columns *r = calloc(1, sizeof *r);
  r->form = *form;
  MPI_Comm_split(MPI_COMM_WORLD, g->at[0], g->at[1], &r->row);
  MPI_Comm_split(MPI_COMM_WORLD, g->at[1], g->at[0], &r->column);
  MPI_Comm_size(r->row, &r->width);
  MPI_Comm_size(r->column, &r->height);
  r->data = numbers(g->mesh[0]);
  r->sum = numbers(g->mesh[0]);
  return r;
}

void rows_columns_step(struct rows_columns *r, int step) {
  if (r->form.how == 0) {
    for (int k = 0; k < r->width; ++k) {
      MPI_Bcast(r->data, 48, MPI_DOUBLE, k, r->row);
      MPI_Bcast(r->data, 32, MPI_DOUBLE, k % r->height, r->column);
    }
  } else if (r->form.how == 1) {
    MPI_Allreduce(r->data, r->sum, 24, MPI_DOUBLE, MPI_SUM, r->row);
    MPI_Allreduce(r->data, r->sum, 24, MPI_DOUBLE, MPI_MAX, r->column);
  } else {
    MPI_Reduce(r->data, r->sum, 20, MPI_DOUBLE, MPI_SUM, step % r->width,
               r->row);
    MPI_Bcast(r->data, 20, MPI_DOUBLE, step % r->height, r->column);
  }
}

void rows_columns_end(struct rows_columns *r) {
  MPI_Comm_free(&r->row);
  MPI_Comm_free(&r->column);
  free(r->data);
  free(r->sum);
  free(r);
}
