/* Arrays with room for what neighbours send: on all sides, or only where there
   is a neighbour. Columns go as vectors, whose stride is the room of a row:
   without the corners, with them, or packed as so many numbers a point. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

enum { kRestLeftOut = kLastGetsRest + 1 };
enum { kWithoutCorners, kWithCorners, kPacked };
enum { kNumbers = 3 }; /* of a point, packed */

struct ghosts {
  struct ghosts_form form;
  const struct grid *g;
  MPI_Datatype type[2];
  double *block;
};

static int own_points(const struct ghosts *x, int s) {
  int n = x->g->mesh[x->form.square ? 0 : s];
  if (x->form.cut == kRestLeftOut) return n / x->g->side[s];
  return part_of(n, x->g->side[s], x->g->at[s], x->form.cut);
}

static int room(const struct ghosts *x, int s) {
  int ghosts = 0;
  for (int by = -1; by <= 1; by += 2) {
    int is_there = next_along(x->g, s, by, x->form.periodic) != MPI_PROC_NULL;
    ghosts += (is_there || !x->form.towards) ? x->form.width : 0;
  }
  return own_points(x, s) + ghosts;
}

struct ghosts *ghosts_start(const struct grid *g,
                            const struct ghosts_form *form) {
  struct ghosts *x = calloc(1, sizeof *x);
  x->form = *form;
  x->g = g;
  x->block = numbers(2 * kNumbers * room(x, 0) * room(x, 1));
  if (form->frames == kPacked) return x;
  MPI_Type_vector(form->width, room(x, 1), room(x, 1), MPI_DOUBLE, &x->type[0]);
  MPI_Type_vector(form->frames == kWithCorners ? room(x, 0) : own_points(x, 0),
                  form->width, room(x, 1), MPI_DOUBLE, &x->type[1]);
  for (int s = 0; s < 2; ++s) MPI_Type_commit(&x->type[s]);
  return x;
}

void ghosts_step(struct ghosts *x, int step) {
  (void)step;
  for (int s = 0; s < 2; ++s) {
    for (int by = -1; by <= 1; by += 2) {
      int to = next_along(x->g, s, by, x->form.periodic);
      int from = next_along(x->g, s, -by, x->form.periodic);
      int packed = x->form.frames == kPacked;
      int count = packed ? kNumbers * x->form.width * room(x, 1 - s) : 1;
      MPI_Datatype type = packed ? MPI_DOUBLE : x->type[s];
      MPI_Request r[2];
      MPI_Irecv(x->block, count, type, from, 6, MPI_COMM_WORLD, &r[0]);
      MPI_Isend(x->block + kNumbers * room(x, 0) * room(x, 1), count, type, to,
                6, MPI_COMM_WORLD, &r[1]);
      MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    }
  }
}

void ghosts_end(struct ghosts *x) {
  for (int s = 0; s < 2 && x->form.frames != kPacked; ++s) {
    MPI_Type_free(&x->type[s]);
  }
  free(x->block);
  free(x);
}
