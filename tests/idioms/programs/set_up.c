/* At the start rank 0 tells each rank its part and hears from each; in steps
   there is little but sums, now and then an output gathered at rank 0. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct set_up {
  struct set_up_form form;
  const struct grid *g;
  int *all;
  double *data;
};

/* What rank r is dealt: a share of all, or, where rank 0 only deals, of those
   that there are for the others. */
static int dealt(const struct grid *g, const struct set_up_form *form, int r) {
  if (form->parts < 2) return share(g->mesh[0], g->ranks, r);
  return share(g->mesh[0], g->ranks - 1, r - 1);
}

struct set_up *set_up_start(const struct grid *g,
                            const struct set_up_form *form) {
  struct set_up *s = calloc(1, sizeof *s);
  int mine = share(g->mesh[0], g->ranks, g->rank);
  s->form = *form;
  s->g = g;
  s->all = malloc(sizeof(int) * (size_t)g->ranks);
  s->data = numbers(g->mesh[0] + 16);
  if (form->parts && g->rank == 0) {
    for (int r = 1; r < g->ranks; ++r) {
      MPI_Send(s->data, dealt(g, form, r), MPI_DOUBLE, r, 9, MPI_COMM_WORLD);
    }
  } else if (form->parts) {
    MPI_Recv(s->data, dealt(g, form, g->rank), MPI_DOUBLE, 0, 9, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  }
  if (form->gathers) {
    MPI_Gather(&mine, 1, MPI_INT, s->all, 1, MPI_INT, 0, MPI_COMM_WORLD);
  } else {
    MPI_Allgather(&mine, 1, MPI_INT, s->all, 1, MPI_INT, MPI_COMM_WORLD);
  }
  return s;
}

/* Row after row of each block. */
static void output_rows(struct set_up *s) {
  int me = s->g->rank;
  for (int r = me == 0 ? 1 : me; r < (me == 0 ? s->g->ranks : me + 1); ++r) {
    for (int i = 0; i < share(s->g->mesh[0], s->g->ranks, r); ++i) {
      if (me == 0) {
        MPI_Recv(s->data, 16, MPI_DOUBLE, r, 7, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
      } else {
        MPI_Send(s->data, 16, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD);
      }
    }
  }
}

static void output(struct set_up *s) {
  int mine = share(s->g->mesh[0], s->g->ranks, s->g->rank);
  if (s->form.rows) {
    output_rows(s);
    return;
  }
  if (s->g->rank != 0) {
    MPI_Send(s->data, mine, MPI_DOUBLE, 0, 8, MPI_COMM_WORLD);
    return;
  }
  for (int r = 1; r < s->g->ranks; ++r) {
    MPI_Recv(s->data, share(s->g->mesh[0], s->g->ranks, r), MPI_DOUBLE, r, 8,
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

void set_up_step(struct set_up *s, int step) {
  double mine = 1, sum;
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (step % 2 == 1) output(s);
}

void set_up_end(struct set_up *s) {
  free(s->all);
  free(s->data);
  free(s);
}
