/* ---- The grid that the ranks form, and laws on it ------------------------
 * Ranks lie on a grid of up to four dimensions, slowest first, row by row if
 * count_ranks says nothing else: d0, d1, ... are its sides, x0, x1, ... this
 * rank's place. A law that gives no whole number ends the program. */
enum { BY_ROWS, BACK_AND_FORTH, MORTON };
static int rank_order = BY_ROWS;
static int grid_dims;
static number side[4] = {1, 1, 1, 1}, at[4];
#define d0 side[0]
#define d1 side[1]
#define d2 side[2]
#define d3 side[3]
#define x0 at[0]
#define x1 at[1]
#define x2 at[2]
#define x3 at[3]

/* A bit of each coordinate in turn, the last coordinate's first. */
static inline number morton_rank(const number *to) {
  number r = 0;
  int bit = 0;
  for (int level = 0; level < 62; ++level) {
    for (int d = grid_dims - 1; d >= 0; --d) {
      if (((number)1 << level) < side[d]) r |= (to[d] >> level & 1) << bit++;
    }
  }
  return r;
}

static inline void stand_at_morton(number r) {
  for (int d = 0; d < grid_dims; ++d) at[d] = 0;
  for (int level = 0; level < 62; ++level) {
    for (int d = grid_dims - 1; d >= 0; --d) {
      if (((number)1 << level) >= side[d]) continue;
      at[d] |= (r & 1) << level;
      r >>= 1;
    }
  }
}

static inline int runs_back(int d, const number *to) {
  return rank_order == BACK_AND_FORTH && d > 0 && to[d - 1] % 2 != 0;
}

static inline number rank_at(const number *to) {
  number r = 0;
  if (rank_order == MORTON) return morton_rank(to);
  for (int d = 0; d < grid_dims; ++d) {
    r = r * side[d] + (runs_back(d, to) ? side[d] - 1 - to[d] : to[d]);
  }
  return r;
}

static inline void stand_at(number r) {
  rank = (int)r;
  if (rank_order == MORTON) {
    stand_at_morton(r);
    return;
  }
  for (int d = grid_dims - 1; d >= 0; --d) {
    at[d] = r % side[d];
    r /= side[d];
  }
  for (int d = 1; d < grid_dims; ++d) {
    if (runs_back(d, at)) at[d] = side[d] - 1 - at[d];
  }
}

static inline void count_ranks(int order) { rank_order = order; }

/* A law of the rank that place k of a list of n stands for, which has one for
 * each rank or for each but the own: back(the law), after go_there. */
static number home;

static inline void go_there(number k, number n) {
  if (n != ranks && n != ranks - 1) refuse("a list is not over the ranks");
  home = rank;
  stand_at(k + (n < ranks && k >= rank));
}

static inline number back(number v) {
  stand_at(home);
  return v;
}

/* Sides that --dims gives, else those found; then this rank's place. */
static inline void lay_out(int dims) {
  number product = 1;
  const char *text = dims_option;
  grid_dims = dims;
  for (int d = 0; text != NULL && d < dims; ++d) {
    char *end;
    side[d] = strtoll(text, &end, 10);
    if (*end != (d + 1 < dims ? 'x' : '\0')) refuse("--dims: another shape");
    text = end + 1;
  }
  for (int d = 0; d < dims; ++d) product *= side[d];
  if (product != ranks) refuse("these ranks do not form the grid; see --dims");
  for (int d = 0; rank_order == MORTON && d < dims; ++d) {
    if ((side[d] & (side[d] - 1)) != 0) refuse("a side is no power of two");
  }
  stand_at(rank);
}

static inline void lay_out_line(void) {
  side[0] = ranks;
  lay_out(1);
}

static inline void lay_out_equal(int dims) {
  number s = 1, product = 0;
  while (product < ranks) {
    product = 1;
    for (int d = 0; d < dims; ++d) product *= s;
    if (product < ranks) ++s;
  }
  for (int d = 0; d < dims; ++d) side[d] = s;
  lay_out(dims);
}

static inline void lay_out_fixed(number fixed, int reversed) {
  side[reversed ? 0 : 1] = fixed;
  side[reversed ? 1 : 0] = ranks / fixed;
  lay_out(2);
}

static inline void lay_out_given(int dims) {
  if (dims_option == NULL) refuse("say the shape of the grid by --dims");
  lay_out(dims);
}

/* The factors nearest to each other, largest first, as MPI_Dims_create of
 * MPICH chooses them; of equals the largest last one. */
static inline int better(const number *a, const number *b, int dims) {
  number mine = a[0] - a[dims - 1], other = b[0] - b[dims - 1];
  if (b[0] == 0 || mine != other) return b[0] == 0 || mine < other;
  for (int d = dims - 1; d >= 0; --d) {
    if (a[d] != b[d]) return a[d] > b[d];
  }
  return 0;
}

static inline void factors(number rest, int from, int dims, number *now,
                           number *best) {
  number most = from > 0 ? now[from - 1] : rest;
  if (from == dims - 1) {
    now[from] = rest;
    if (rest <= most && better(now, best, dims)) {
      memcpy(best, now, sizeof(number) * (size_t)dims);
    }
    return;
  }
  for (number f = 1; f <= most && f <= rest; ++f) {
    now[from] = f;
    if (rest % f == 0) factors(rest / f, from + 1, dims, now, best);
  }
}

static inline void lay_out_balanced(int dims, int reversed) {
  number now[4] = {0, 0, 0, 0}, best[4] = {0, 0, 0, 0};
  if (dims_option == NULL) factors(ranks, 0, dims, now, best);
  for (int d = 0; d < dims; ++d) side[d] = best[reversed ? dims - 1 - d : d];
  lay_out(dims);
}

static inline void check_power_of_two(void) {
  if ((ranks & (ranks - 1)) != 0) refuse("the laws hold at powers of two only");
}

/* A step on the grid; dimensions whose bit is set wrap around. */
static inline number neighbour(number s0, number s1, number s2, number s3,
                               unsigned periodic) {
  number to[4] = {x0 + s0, x1 + s1, x2 + s2, x3 + s3};
  for (int d = 0; d < grid_dims; ++d) {
    if (periodic >> d & 1) to[d] = (to[d] % side[d] + side[d]) % side[d];
    if (to[d] < 0 || to[d] >= side[d]) return NULL_PEER;
  }
  return rank_at(to);
}

static inline number along_ranks(number step, int periodic) {
  number to = rank + step;
  if (periodic) return (to % ranks + ranks) % ranks;
  return to < 0 || to >= ranks ? NULL_PEER : to;
}

static inline number moved(int dim, number by) {
  number to[4] = {x0, x1, x2, x3};
  to[dim] = ((to[dim] + by) % side[dim] + side[dim]) % side[dim];
  return rank_at(to);
}

/* Neighbours in the order in which the program lists them; those that are
 * not on the grid are left out. */
struct neighbours {
  int count;
  unsigned periodic;
  const number (*steps)[4];
};

static inline number in_slot(const struct neighbours *list, int slot) {
  const number *s = list->steps[slot];
  return neighbour(s[0], s[1], s[2], s[3], list->periodic);
}

static inline number degree(const struct neighbours *list) {
  number n = 0;
  for (int i = 0; i < list->count; ++i) n += in_slot(list, i) != NULL_PEER;
  return n;
}

static inline number slot_at(const struct neighbours *list, number k) {
  for (int i = 0; i < list->count; ++i) {
    if (in_slot(list, i) != NULL_PEER && k-- == 0) return i;
  }
  stop("a law asks for a neighbour that is not there");
  return 0;
}

static inline number neighbour_at(const struct neighbours *list, number k) {
  return in_slot(list, (int)slot_at(list, k));
}

static inline number floor_div(number a, number b) {
  if (b == 0) stop("a law divides by zero");
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static inline number exact_div(number a, number b) {
  if (b == 0 || a % b != 0) stop("a law gives no whole number");
  return a / b;
}

static inline number modulo(number a, number b) {
  if (b <= 0) stop("a law divides by zero");
  return a - floor_div(a, b) * b;
}

static inline number share(number low, number high, number parts) {
  number v = floor_div(low, parts);
  if (v != floor_div(high, parts)) stop("a law gives no whole number");
  return v;
}

static inline number agreed(number a, number b) {
  if (a != b) stop("a law gives more than one number");
  return a;
}

static inline number least(number a, number b) { return a < b ? a : b; }
static inline number greatest(number a, number b) { return a > b ? a : b; }

/* Part x of a whole cut into d parts, the larger ones first. */
static inline number block(number whole, number d, number x) {
  if (d < 1) stop("a law divides by zero");
  return whole / d + (x < whole % d);
}

/* Cells of a multipartition: each rank of a q x q grid has q of them on a
 * diagonal of a q x q x q grid. A coordinate is the sum of these multiples of
 * x0, x1, the cell's number and 1, modulo q. A cell's sides are blocks of a
 * whole, the outermost ones shortened by one where `inner` says so. */
struct cells {
  number whole, scale;
  int sides, inner, guarded, at_last;
  number side[3][4], guard[4];
};

static inline number cell_at(const number *c, number k) {
  return modulo(c[0] * x0 + c[1] * x1 + c[2] * k + c[3], d0);
}

static inline number cell_number(const struct cells *c, number k) {
  return c->whole + cell_at(c->side[0], k) + d0 * cell_at(c->side[1], k);
}

static inline number cell_size(const struct cells *c, number k) {
  number product = c->scale;
  for (int i = 0; i < c->sides; ++i) {
    number x = cell_at(c->side[i], k);
    int edges = c->inner ? (x == 0) + (x == d0 - 1) : 0;
    product *= block(c->whole, d0, x) - edges;
  }
  return product;
}

/* Of this rank, but where `guarded` the one at that end of its direction. */
static inline number all_cells(const struct cells *c) {
  number sum = 0;
  for (number k = 0; k < d0; ++k) {
    if (c->guarded && cell_at(c->guard, k) == (c->at_last ? d0 - 1 : 0)) {
      continue;
    }
    sum += cell_size(c, k);
  }
  return sum;
}

static inline number log_2(number v) {
  number bits = 0;
  while (v > 1) v /= 2, ++bits;
  return bits;
}

static inline number power_2(number k) {
  return k < 0 || k > 40 ? 0 : (number)1 << k;
}

/* The most k with 2^k < n that has 2^k divide x. */
static inline number twos(number x, number n) {
  number k = 0;
  while (((number)2 << k) < n && x % ((number)2 << k) == 0) ++k;
  return k;
}

static inline number bits_of(number v) {
  number bits = 0;
  while (v > 0) v /= 2, ++bits;
  return bits;
}

/* Zero bits at the end of the rank; of 0 the stages that reach all ranks. */
static inline number zeros(void) {
  number k = 0;
  while (((number)1 << k) < ranks && rank % ((number)2 << k) == 0) ++k;
  return k;
}

/* Powers of two above the rank that lead to another one. */
static inline number tree_children(void) {
  return greatest(0, log_2(2 * (ranks - rank) - 1) - bits_of(rank));
}

/* Numbers below n that have bit k. */
/* The place among all ranks where a list of n leaves out `own`. */
static inline number place_among_all(number n, number k, number own) {
  return n == ranks ? k : k + (k >= own);
}

/* Of the numbers by which some rank's bits differ from the own one's, the k-th
   smallest. */
static inline number bits_apart(number n, number k) {
  number left = place_among_all(n, k, 0), apart = 0;
  for (int b = 62; b-- > 0;) {
    number bit = (number)1 << b;
    number first = ((rank ^ apart) >> b) << b, without = ranks - first;
    if (without < 0) without = 0;
    if (without > bit) without = bit;
    if (left < without) continue;
    left -= without;
    apart |= bit;
  }
  return apart;
}

static inline number sum_of_both(number n, number k) {
  return place_among_all(n, k, 2 * rank % ranks);
}

static inline number with_bit(number n, number k) {
  number bit = power_2(k);
  if (bit == 0) return 0;
  return n / (2 * bit) * bit + greatest(0, n % (2 * bit) - bit);
}

/* The rank's bits in another order: bit i is that at base of i, shifted
 * around. base 0: i; 1: from the other end; 2: the same with the first and
 * last exchanged; 3: even ones first; 4: the inverse of 3. */
static inline number reordered(int base, number shift, int half) {
  number n = log_2(ranks), evens = (n + 1) / 2, v = 0;
  for (number i = 0; i < n; ++i) {
    number at = ((i + shift + (half ? n / 2 : 0)) % n + n) % n, from = at;
    if (base == 1) from = n - 1 - at;
    if (base == 2 && (at == 0 || at == n - 1)) from = n - 1 - at;
    if (base == 3) from = at < evens ? 2 * at : 2 * (at - evens) + 1;
    if (base == 4) from = at % 2 == 0 ? at / 2 : evens + at / 2;
    v |= (rank >> from & 1) << i;
  }
  return v;
}

/* The least level with so many, a power of two, ranks of each side that this
 * one, counted from `first`, is among. */
static inline number coarsest(number first) {
  for (number level = 0;; ++level) {
    int among = 1;
    for (int d = 0; d < grid_dims; ++d) {
      number apart = greatest(1, side[d] >> level);
      among = among && (at[d] + first) % apart == 0;
    }
    if (among) return level;
  }
}

/* The rank at the transposed place of a grid whose one side is a multiple q
 * of the other: q neighbours along the longer one move together. */
static inline number transposed(void) {
  if (d1 % d0 == 0) {
    number q = d1 / d0;
    return q * (x1 / q * d0 + x0) + x1 % q;
  }
  if (d0 % d1 != 0) return rank;
  number q = d0 / d1;
  return (x1 * q + x0 % q) * d1 + x0 / q;
}

/* The largest of a law's values, found once; v is for nothing else. */
static inline number most(struct value *v) {
  if (v->place++ > 0) return v->now;
  number largest = 0, n = v->period != NULL ? v->period() : 0;
  for (number k = 0; k < v->firsts; ++k) {
    largest = greatest(largest, v->first(k, v->firsts));
  }
  for (number k = 0; k < n; ++k) largest = greatest(largest, v->law(k, n));
  v->now = largest;
  return largest;
}

/* Before a message of so many bytes either way. */
static inline void room(number bytes) {
  double wanted = (double)bytes * (bytes_scale > 1 ? bytes_scale : 1) + 64;
  make_room(&out, (size_t)wanted);
  make_room(&in, (size_t)wanted);
}
