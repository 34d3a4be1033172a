/* A datatype for the faces across each side: a vector, or a part of the block;
   made once, or for each exchange. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct face_types {
  struct face_types_form form;
  const struct grid *g;
  MPI_Datatype type[2];
  double *block;
};

static MPI_Datatype make_type(const struct face_types *f, int side) {
  int n = block_side(f->g, 0), m = block_side(f->g, 1);
  MPI_Datatype type;
  if (f->form.part) {
    int sizes[2] = {n + 2, m + 2}, sub[2] = {n, m}, starts[2] = {1, 1};
    sub[side] = 1;
    MPI_Type_create_subarray(2, sizes, sub, starts, MPI_ORDER_C, MPI_DOUBLE,
                             &type);
  } else if (side == 0) {
    MPI_Type_contiguous(m, MPI_DOUBLE, &type);
  } else {
    MPI_Type_vector(n, 1, m + 2, MPI_DOUBLE, &type);
  }
  MPI_Type_commit(&type);
  return type;
}

struct face_types *face_types_start(const struct grid *g,
                                    const struct face_types_form *form) {
  struct face_types *f = calloc(1, sizeof *f);
  f->form = *form;
  f->g = g;
  f->block = numbers(2 * 256 * 256);
  for (int s = 0; s < 2 && !form->each; ++s) f->type[s] = make_type(f, s);
  return f;
}

void face_types_step(struct face_types *f, int step) {
  double *other = f->block + 256 * 256;
  (void)step;
  for (int s = 0; s < 2; ++s) {
    MPI_Request r[4];
    int down = next_along(f->g, s, -1, f->form.periodic);
    int up = next_along(f->g, s, 1, f->form.periodic);
    if (f->form.each) f->type[s] = make_type(f, s);
    MPI_Irecv(other, 1, f->type[s], down, 1, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(other, 1, f->type[s], up, 2, MPI_COMM_WORLD, &r[1]);
    MPI_Isend(f->block, 1, f->type[s], up, 1, MPI_COMM_WORLD, &r[2]);
    MPI_Isend(f->block, 1, f->type[s], down, 2, MPI_COMM_WORLD, &r[3]);
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    if (f->form.each) MPI_Type_free(&f->type[s]);
  }
}

void face_types_end(struct face_types *f) {
  for (int s = 0; s < 2 && !f->form.each; ++s) MPI_Type_free(&f->type[s]);
  free(f->block);
  free(f);
}
