/* The root gets the block of each rank as a part of the whole, by datatypes of
   both, or hands it out. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct gathered_parts {
  struct gathered_parts_form form;
  const struct grid *g;
  double *whole, *block;
};

struct gathered_parts *gathered_parts_start(
    const struct grid *g, const struct gathered_parts_form *form) {
  struct gathered_parts *x = calloc(1, sizeof *x);
  x->form = *form;
  x->g = g;
  x->whole = numbers(g->mesh[0] * g->mesh[1]);
  x->block = numbers((g->mesh[0] + 2) * (g->mesh[1] + 2));
  return x;
}

/* Where the block of a rank is, and how large, on rows of row-major ranks. */
static MPI_Datatype part_of_whole(const struct grid *g, int r) {
  int at[2] = {r / g->side[1], r % g->side[1]}, sub[2], starts[2];
  MPI_Datatype type;
  for (int s = 0; s < 2; ++s) {
    sub[s] = share(g->mesh[s], g->side[s], at[s]);
    starts[s] = first_of(g->mesh[s], g->side[s], at[s]);
  }
  MPI_Type_create_subarray(2, g->mesh, sub, starts, MPI_ORDER_C, MPI_DOUBLE,
                           &type);
  MPI_Type_commit(&type);
  return type;
}

static MPI_Datatype inside_of_block(const struct gathered_parts *x) {
  int r = x->g->rank, rim = x->form.rim;
  int at[2] = {r / x->g->side[1], r % x->g->side[1]};
  int sizes[2], sub[2], starts[2] = {rim, rim};
  MPI_Datatype type;
  for (int s = 0; s < 2; ++s) {
    sub[s] = share(x->g->mesh[s], x->g->side[s], at[s]);
    sizes[s] = sub[s] + 2 * rim;
  }
  if (x->form.vector) {
    MPI_Type_vector(sub[0], sub[1], sizes[1], MPI_DOUBLE, &type);
  } else {
    MPI_Type_create_subarray(2, sizes, sub, starts, MPI_ORDER_C, MPI_DOUBLE,
                             &type);
  }
  MPI_Type_commit(&type);
  return type;
}

void gathered_parts_step(struct gathered_parts *x, int step) {
  MPI_Datatype type;
  (void)step;
  if (x->g->rank == 0) {
    for (int r = 1; r < x->g->ranks; ++r) {
      type = part_of_whole(x->g, r);
      if (x->form.back) {
        MPI_Send(x->whole, 1, type, r, 22, MPI_COMM_WORLD);
      } else {
        MPI_Recv(x->whole, 1, type, r, 22, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
      MPI_Type_free(&type);
    }
    return;
  }
  type = inside_of_block(x);
  if (x->form.back) {
    MPI_Recv(x->block, 1, type, 0, 22, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(x->block, 1, type, 0, 22, MPI_COMM_WORLD);
  }
  MPI_Type_free(&type);
}

void gathered_parts_end(struct gathered_parts *x) {
  free(x->whole);
  free(x->block);
  free(x);
}
