/* Grids of ranks and blocks of a mesh. */
#include "tests/idioms/programs/common.h"

static void equal_sides(struct grid *g) {
  int side = 1;
  for (;;) {
    int cells = 1;
    for (int s = 0; s < g->sides; ++s) cells *= side + 1;
    if (cells > g->ranks) break;
    ++side;
  }
  for (int s = 0; s < g->sides; ++s) g->side[s] = side;
}

static void halves(struct grid *g) {
  for (int s = 0; s < g->sides; ++s) g->side[s] = 1;
  for (int left = g->ranks; left > 1; left /= 2) {
    int longest = 0;
    for (int s = 1; s < g->sides; ++s) {
      if (g->mesh[s] * g->side[longest] > g->mesh[longest] * g->side[s]) {
        longest = s;
      }
    }
    g->side[longest] *= 2;
  }
}

static long surface(const struct grid *g, const int side[]) {
  long sum = 0;
  for (int s = 0; s < g->sides; ++s) {
    long across = 1;
    for (int o = 0; o < g->sides; ++o) {
      if (o != s) across *= (g->mesh[o] + side[o] - 1) / side[o];
    }
    sum += across;
  }
  return sum;
}

static void least_surface(struct grid *g) {
  long best = -1;
  for (int a = 1; a <= g->ranks; ++a) {
    if (g->ranks % a != 0) continue;
    for (int b = 1; b <= g->ranks / a; ++b) {
      int side[kMostSides] = {a, b, g->ranks / a / b};
      if (g->ranks / a % b != 0) continue;
      if (g->sides == 2 && side[2] != 1) continue;
      if (g->sides == 1 && (b != 1 || side[2] != 1)) continue;
      long here = surface(g, side);
      if (best >= 0 && here >= best) continue;
      best = here;
      for (int s = 0; s < kMostSides; ++s) g->side[s] = side[s];
    }
  }
}

static void choose_sides(struct grid *g, int rule) {
  for (int s = 0; s < kMostSides; ++s) g->side[s] = 1;
  int across = g->ranks % 4 == 0 && g->ranks > 4 ? 4 : 2;
  switch (rule) {
    case kDimsCreate:
      for (int s = 0; s < g->sides; ++s) g->side[s] = 0;
      MPI_Dims_create(g->ranks, g->sides, g->side);
      break;
    case kEqualSides:
      equal_sides(g);
      break;
    case kHalves:
      halves(g);
      break;
    case kLeastSurface:
      least_surface(g);
      break;
    case kLongFirst:
      g->side[0] = g->ranks / 2;
      g->side[1] = 2;
      break;
    case kGivenColumns:
      g->side[0] = g->ranks / across;
      g->side[1] = across;
      break;
    default:
      g->side[0] = g->ranks;
  }
  /* Rank counts that the rule cannot lay out. */
  if (g->side[0] * g->side[1] * g->side[2] == g->ranks) return;
  g->side[0] = g->ranks;
  g->side[1] = g->side[2] = 1;
}

static int is_power(int n) { return (n & (n - 1)) == 0; }

static int morton(const struct grid *g, const int at[]) {
  int number = 0, bit = 0;
  for (int level = 0; (1 << level) < g->ranks; ++level) {
    for (int s = g->sides; s-- > 0;) {
      if ((1 << level) >= g->side[s]) continue;
      number |= ((at[s] >> level) & 1) << bit++;
    }
  }
  return number;
}

static int number_of(const struct grid *g, const int at[]) {
  int number = 0;
  if (g->order == kMorton && is_power(g->ranks)) return morton(g, at);
  if (g->order == kColumnMajor) {
    for (int s = g->sides; s-- > 0;) number = number * g->side[s] + at[s];
    return number;
  }
  for (int s = 0; s < g->sides; ++s) {
    int place = at[s];
    if (g->order == kSnake && s > 0 && at[s - 1] % 2 == 1) {
      place = g->side[s] - 1 - place;
    }
    number = number * g->side[s] + place;
  }
  return number;
}

static void find_place(struct grid *g) {
  int at[kMostSides] = {0, 0, 0};
  while (number_of(g, at) != g->rank) {
    int s = 0;
    while (++at[s] == g->side[s]) at[s++] = 0;
  }
  for (int s = 0; s < kMostSides; ++s) g->at[s] = at[s];
}

void make_grid(struct grid *g, int rule, int order, int sides,
               const int mesh[kMostSides]) {
  MPI_Comm_size(MPI_COMM_WORLD, &g->ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &g->rank);
  g->sides = rule == kLine ? 1 : sides;
  g->order = order;
  for (int s = 0; s < kMostSides; ++s) g->mesh[s] = mesh[s];
  choose_sides(g, rule);
  find_place(g);
}

int rank_at(const struct grid *g, const int at[], int periodic) {
  int place[kMostSides];
  for (int s = 0; s < g->sides; ++s) {
    place[s] = at[s];
    if (periodic) place[s] = (at[s] % g->side[s] + g->side[s]) % g->side[s];
    if (place[s] < 0 || place[s] >= g->side[s]) return MPI_PROC_NULL;
  }
  return number_of(g, place);
}

int next_by(const struct grid *g, const int by[], int periodic) {
  int at[kMostSides];
  for (int s = 0; s < g->sides; ++s) at[s] = g->at[s] + by[s];
  return rank_at(g, at, periodic);
}

int next_along(const struct grid *g, int side, int by, int periodic) {
  int step[kMostSides] = {0, 0, 0};
  step[side] = by;
  return next_by(g, step, periodic);
}

int share(int n, int parts, int i) { return n / parts + (i < n % parts); }

int part_of(int n, int parts, int i, int cut) {
  int up = (n + parts - 1) / parts, left = n - i * up;
  switch (cut) {
    case kLastGetMore:
      return n / parts + (i >= parts - n % parts);
    case kSpread:
      return (i + 1) * n / parts - i * n / parts;
    case kRoundedUp:
      return left < 0 ? 0 : left < up ? left : up;
    case kLastGetsRest:
      return n / parts + (i == parts - 1 ? n % parts : 0);
    case kToNearest:
      return (2 * (i + 1) * n + parts) / (2 * parts) -
             (2 * i * n + parts) / (2 * parts);
    default:
      return share(n, parts, i);
  }
}

int first_of(int n, int parts, int i) {
  int extra = n % parts;
  return i * (n / parts) + (i < extra ? i : extra);
}

int block_side(const struct grid *g, int side) {
  return share(g->mesh[side], g->side[side], g->at[side]);
}

int face(const struct grid *g, int side, int rim) {
  int points = 1;
  for (int s = 0; s < g->sides; ++s) {
    if (s != side) points *= block_side(g, s) + 2 * rim;
  }
  return points;
}

int log2_of(int n) {
  int log = 0;
  while (n > 1) {
    n /= 2;
    ++log;
  }
  return log;
}

int least_power(int at_least) {
  int power = 1;
  while (power < at_least) power *= 2;
  return power;
}

unsigned mix(unsigned a, unsigned b, unsigned c) {
  unsigned h = a * 2654435761u ^ (b + 0x9E3779B9u) * 2246822519u ^
               (c + 0x85EBCA6Bu) * 3266489917u;
  h ^= h >> 15;
  h *= 2246822519u;
  h ^= h >> 13;
  return h;
}

double *numbers(int n) { return malloc(sizeof(double) * (size_t)(n + 1)); }
