/* Pools of ranks, groups in each, and the rest of the ranks in those: how many
   pools and groups there are the program says, whatever the number of ranks. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

enum { kPools = 3, kStates = 12, kPlanes = 48 };

struct pools {
  struct pools_form form;
  int side[kPools], at[kPools];
  MPI_Comm part, along[kPools];
  int *counts, *offsets, *in_counts, *in_offsets;
  double *out, *in;
};

/* Two sides as the program says, the other one takes the rest. */
static void lay_out(struct pools *p, const struct grid *g) {
  static const int said[3][2] = {{2, 2}, {2, 4}, {4, 2}};
  const int *mine = said[p->form.sides];
  int left = g->rank, known = 0;
  int fits = g->ranks % (mine[0] * mine[1]) == 0;
  for (int s = 0; s < kPools; ++s) {
    if (s == p->form.rest) {
      p->side[s] = fits ? g->ranks / (mine[0] * mine[1]) : g->ranks;
    } else {
      p->side[s] = fits ? mine[known++] : 1;
    }
  }
  for (int s = kPools; s-- > 0;) {
    p->at[s] = left % p->side[s];
    left /= p->side[s];
  }
}

static void make_parts(struct pools *p, const struct grid *g) {
  int plane = p->at[1] * p->side[2] + p->at[2];
  MPI_Comm_split(MPI_COMM_WORLD, p->at[0], g->rank, &p->part);
  MPI_Comm_split(MPI_COMM_WORLD, plane, g->rank, &p->along[0]);
  if (p->form.nested) {
    MPI_Comm_split(p->part, p->at[2], p->at[1], &p->along[1]);
    MPI_Comm_split(p->part, p->at[1], p->at[2], &p->along[2]);
  } else {
    MPI_Comm_split(MPI_COMM_WORLD, p->at[0] * p->side[2] + p->at[2], p->at[1],
                   &p->along[1]);
    MPI_Comm_split(MPI_COMM_WORLD, p->at[0] * p->side[1] + p->at[1], p->at[2],
                   &p->along[2]);
  }
}

static int planes(const struct pools *p, int k) {
  return share(p->form.uneven ? kPlanes + 2 : kPlanes, p->side[p->form.rest],
               k);
}

static void set_counts(struct pools *p) {
  int n = p->side[p->form.rest], me = p->at[p->form.rest];
  int out = 0, in = 0;
  p->counts = malloc(sizeof(int) * (size_t)n);
  p->offsets = malloc(sizeof(int) * (size_t)n);
  p->in_counts = malloc(sizeof(int) * (size_t)n);
  p->in_offsets = malloc(sizeof(int) * (size_t)n);
  for (int k = 0; k < n; ++k) {
    p->counts[k] = share(240, n, me) * planes(p, k);
    p->in_counts[k] = share(240, n, k) * planes(p, me);
    p->offsets[k] = out;
    p->in_offsets[k] = in;
    out += p->counts[k];
    in += p->in_counts[k];
  }
}

struct pools *pools_start(const struct grid *g, const struct pools_form *form) {
  struct pools *p = calloc(1, sizeof *p);
  p->form = *form;
  lay_out(p, g);
  make_parts(p, g);
  set_counts(p);
  p->out = numbers(240 * (kPlanes + 2));
  p->in = numbers(240 * (kPlanes + 2));
  return p;
}

/* All that the ranks of a group do for one state, along what is left. */
static void work_on(struct pools *p, int state) {
  MPI_Comm rest = p->along[p->form.rest];
  int n = p->side[p->form.rest], me = p->at[p->form.rest];
  int right = (me + 1) % n, left = (me + n - 1) % n;
  switch (p->form.how) {
    case 0:
      MPI_Alltoallv(p->out, p->counts, p->offsets, MPI_DOUBLE, p->in,
                    p->in_counts, p->in_offsets, MPI_DOUBLE, rest);
      if (!p->form.back) break;
      MPI_Alltoallv(p->in, p->in_counts, p->in_offsets, MPI_DOUBLE, p->out,
                    p->counts, p->offsets, MPI_DOUBLE, rest);
      break;
    case 1:
      MPI_Sendrecv(p->out, 5 * planes(p, me), MPI_DOUBLE, right, 1, p->in,
                   5 * planes(p, left), MPI_DOUBLE, left, 1, rest,
                   MPI_STATUS_IGNORE);
      if (!p->form.back) break;
      MPI_Sendrecv(p->out, 5 * planes(p, me), MPI_DOUBLE, left, 2, p->in,
                   5 * planes(p, right), MPI_DOUBLE, right, 2, rest,
                   MPI_STATUS_IGNORE);
      break;
    default:
      MPI_Bcast(p->out, 30, MPI_DOUBLE, p->form.back ? n - 1 : state % n, rest);
  }
}

void pools_step(struct pools *p, int step) {
  int pool = p->form.rest == 0 ? 1 : 0, group = p->form.rest == 2 ? 1 : 2;
  (void)step;
  for (int k = p->at[pool]; k < kStates; k += p->side[pool]) work_on(p, k);
  MPI_Allreduce(p->out, p->in, 40, MPI_DOUBLE, MPI_SUM, p->along[group]);
  MPI_Allreduce(p->out, p->in, 2 * planes(p, p->at[p->form.rest]), MPI_DOUBLE,
                MPI_SUM, p->along[pool]);
}

void pools_end(struct pools *p) {
  for (int s = 0; s < kPools; ++s) MPI_Comm_free(&p->along[s]);
  MPI_Comm_free(&p->part);
  free(p->counts);
  free(p->offsets);
  free(p->in_counts);
  free(p->in_offsets);
  free(p->out);
  free(p->in);
  free(p);
}
