/* Blocks with a rim, each in a window: a rank puts its edges where the rims of
   its neighbours' blocks are, which may be longer than its own. Or into the
   four edges that a neighbour has for it, one after the other. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct put_blocks {
  struct put_blocks_form form;
  const struct grid *g;
  MPI_Win window;
  MPI_Datatype column;
  double *block;
};

/* Points along a side of the block so many ranks on. */
static int points(const struct put_blocks *x, int side, int by) {
  int parts = x->g->side[side], at = (x->g->at[side] + by + parts) % parts;
  return part_of(x->g->mesh[side], parts, at, x->form.cut);
}

struct put_blocks *put_blocks_start(const struct grid *g,
                                    const struct put_blocks_form *form) {
  struct put_blocks *x = calloc(1, sizeof *x);
  int rows, columns, room;
  x->form = *form;
  x->g = g;
  rows = points(x, 0, 0);
  columns = points(x, 1, 0);
  room = form->edges ? 2 * (rows + columns) : (rows + 2) * (columns + 2);
  x->block = numbers(room);
  MPI_Win_create(x->block, (MPI_Aint)sizeof(double) * room, sizeof(double),
                 MPI_INFO_NULL, MPI_COMM_WORLD, &x->window);
  MPI_Type_vector(rows, 1, columns + 2, MPI_DOUBLE, &x->column);
  MPI_Type_commit(&x->column);
  MPI_Win_fence(MPI_MODE_NOPRECEDE, x->window);
  return x;
}

/* Where a neighbour has what comes from me, who am behind it where by < 0. */
static int place(const struct put_blocks *x, int side, int by) {
  int rows = points(x, 0, side == 0 ? by : 0);
  int columns = points(x, 1, side == 1 ? by : 0);
  if (x->form.edges) {
    return side == 0 ? (by < 0 ? columns : 0)
                     : 2 * columns + (by < 0 ? rows : 0);
  }
  if (side == 0) return by < 0 ? (rows + 1) * (columns + 2) + 1 : 1;
  return columns + 2 + (by < 0 ? columns + 1 : 0);
}

static void put_edge(struct put_blocks *x, int side, int by) {
  int peer = next_along(x->g, side, by, x->form.periodic);
  if (peer == MPI_PROC_NULL) return;
  if (side == 1 && !x->form.edges) {
    MPI_Datatype theirs;
    MPI_Type_vector(points(x, 0, 0), 1, points(x, 1, by) + 2, MPI_DOUBLE,
                    &theirs);
    MPI_Type_commit(&theirs);
    MPI_Put(x->block, 1, x->column, peer, place(x, side, by), 1, theirs,
            x->window);
    MPI_Type_free(&theirs);
    return;
  }
  MPI_Put(x->block, points(x, 1 - side, 0), MPI_DOUBLE, peer,
          place(x, side, by), points(x, 1 - side, 0), MPI_DOUBLE, x->window);
}

void put_blocks_step(struct put_blocks *x, int step) {
  (void)step;
  if (x->form.loop) {
    for (int i = 0; i < 4; ++i) put_edge(x, i / 2, i % 2 ? 1 : -1);
  } else {
    put_edge(x, 0, -1);
    put_edge(x, 0, 1);
    put_edge(x, 1, -1);
    put_edge(x, 1, 1);
  }
  MPI_Win_fence(0, x->window);
}

void put_blocks_end(struct put_blocks *x) {
  MPI_Type_free(&x->column);
  MPI_Win_free(&x->window);
  free(x->block);
  free(x);
}
