/* Irregular partners, the same in every step, known to both: where a mesh was
   cut, ranks near one another, or a few that talk to many. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

enum { kCut, kNear, kPowerLaw };

struct tables {
  struct tables_form form;
  int n, *peer, *amount;
  double *out, *in;
};

/* In a unit square cut in halves again and again, at places drawn: the corners
   of the part of a rank. */
static void cut(int ranks, int rank, unsigned seed, double box[4]) {
  int first = 0, count = ranks, depth = 0;
  box[0] = box[1] = 0;
  box[2] = box[3] = 1;
  while (count > 1) {
    int low = count / 2, side = depth % 2;
    double at = (double)low / count;
    at +=
        ((int)(mix(seed, (unsigned)first, (unsigned)depth) % 100) - 50) / 500.;
    double middle = box[side] + at * (box[side + 2] - box[side]);
    if (rank < first + low) {
      box[side + 2] = middle;
      count = low;
    } else {
      box[side] = middle;
      first += low;
      count -= low;
    }
    ++depth;
  }
}

/* The length of the border that two parts have in common; 0: none. */
static double border(const double a[4], const double b[4]) {
  double x0 = a[0] > b[0] ? a[0] : b[0], x1 = a[2] < b[2] ? a[2] : b[2];
  double y0 = a[1] > b[1] ? a[1] : b[1], y1 = a[3] < b[3] ? a[3] : b[3];
  if (x1 < x0 - 1e-9 || y1 < y0 - 1e-9) return 0;
  return x1 - x0 > y1 - y0 ? x1 - x0 : y1 - y0;
}

static int amount_cut(const struct grid *g, unsigned seed, int other) {
  double mine[4], theirs[4];
  cut(g->ranks, g->rank, seed, mine);
  cut(g->ranks, other, seed, theirs);
  return (int)(1000 * border(mine, theirs));
}

static double place(unsigned seed, int rank, unsigned side) {
  return (mix(seed, (unsigned)rank, side) % 10000) / 10000.;
}

/* The nearer, the more. About eight neighbours each. */
static int amount_near(const struct grid *g, unsigned seed, int other) {
  double dx = place(seed, g->rank, 1) - place(seed, other, 1);
  double dy = place(seed, g->rank, 2) - place(seed, other, 2);
  double reach = 2.5 / g->ranks, distance = dx * dx + dy * dy;
  return distance < reach ? 4 + (int)(100 * (1 - distance / reach)) : 0;
}

/* The lower the ranks, the likelier. */
static int amount_power(const struct grid *g, unsigned seed, int other) {
  int a = g->rank < other ? g->rank : other, b = g->rank + other - a;
  unsigned chance = mix(seed, (unsigned)a, (unsigned)b);
  if ((int)(chance % 1000) * (a + 1) > 2000) return 0;
  return 1 + (int)(chance >> 16) % 60;
}

static int amount_of(const struct grid *g, const struct tables_form *form,
                     int other) {
  unsigned seed = (unsigned)form->seed;
  if (other == g->rank) return 0;
  if (form->how == kCut) return amount_cut(g, seed, other);
  if (form->how == kNear) return amount_near(g, seed, other);
  return amount_power(g, seed, other);
}

struct tables *tables_start(const struct grid *g,
                            const struct tables_form *form) {
  struct tables *t = calloc(1, sizeof *t);
  t->form = *form;
  t->peer = malloc(sizeof(int) * (size_t)g->ranks);
  t->amount = malloc(sizeof(int) * (size_t)g->ranks);
  for (int r = 0; r < g->ranks; ++r) {
    int amount = amount_of(g, form, r);
    if (amount == 0) continue;
    t->peer[t->n] = r;
    t->amount[t->n++] = amount;
  }
  t->out = numbers(1000);
  t->in = numbers(1000 * (t->n + 1));
  return t;
}

void tables_step(struct tables *t, int step) {
  MPI_Request *r = malloc(sizeof *r * (2 * (size_t)t->n + 1));
  (void)step;
  for (int i = 0; i < t->n; ++i) {
    MPI_Irecv(t->in + 1000 * i, t->amount[i], MPI_DOUBLE, t->peer[i], 3,
              MPI_COMM_WORLD, &r[i]);
  }
  for (int i = 0; i < t->n; ++i) {
    MPI_Isend(t->out, t->amount[i], MPI_DOUBLE, t->peer[i], 3, MPI_COMM_WORLD,
              &r[t->n + i]);
  }
  finish(2 * t->n, r, t->form.finish);
  free(r);
}

void tables_end(struct tables *t) {
  free(t->peer);
  free(t->amount);
  free(t->out);
  free(t->in);
  free(t);
}
