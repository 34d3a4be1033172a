/* A communicator of some ranks only: the lower half, the even ones, one of
   each row. The others do without. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct groups {
  struct groups_form form;
  MPI_Comm part;
  double in[16], out[16];
};

static int belongs(const struct grid *g, int rank, int how) {
  if (how == 0) return rank < (g->ranks + 1) / 2;
  if (how == 1) return rank % 2 == 0;
  return rank % g->side[g->sides - 1] == 0;
}

struct groups *groups_start(const struct grid *g,
                            const struct groups_form *form) {
  struct groups *x = calloc(1, sizeof *x);
  x->form = *form;
  if (form->split) {
    int in = belongs(g, g->rank, form->how);
    MPI_Comm_split(MPI_COMM_WORLD, in ? 0 : MPI_UNDEFINED, g->rank, &x->part);
    return x;
  }
  MPI_Group world, some;
  int n = 0, *members = malloc(sizeof(int) * (size_t)g->ranks);
  for (int r = 0; r < g->ranks; ++r) {
    if (belongs(g, r, form->how)) members[n++] = r;
  }
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, n, members, &some);
  MPI_Comm_create(MPI_COMM_WORLD, some, &x->part);
  MPI_Group_free(&some);
  MPI_Group_free(&world);
  free(members);
  return x;
}

void groups_step(struct groups *x, int step) {
  int root = 0;
  (void)step;
  if (x->part == MPI_COMM_NULL) return;
  if (x->form.last) {
    MPI_Comm_size(x->part, &root);
    --root;
  }
  MPI_Allreduce(x->in, x->out, 8, MPI_DOUBLE, MPI_SUM, x->part);
  MPI_Bcast(x->out, 4, MPI_DOUBLE, root, x->part);
}

void groups_end(struct groups *x) {
  if (x->part != MPI_COMM_NULL) MPI_Comm_free(&x->part);
  free(x);
}
