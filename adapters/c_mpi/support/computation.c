/* ---- Computation --------------------------------------------------------
 * Before each call: the mean of first calls, then a draw from POINTS points
 * of the distribution, of which a part stays with the rank, and a part goes
 * through the distribution in equal steps, alike on all ranks. Where that
 * depends on the call before, each of those has an entry of its own. */
enum { POINTS = 17 };
struct compute {
  double first, mean; /* ns */
  double of_rank;     /* weight of what stays with the rank, 0 to 1 */
  double of_draw;     /* of what each rank draws for itself */
  double of_time;     /* of what is alike on all; the squares add up to 1 */
  double place;       /* of that in the distribution, now */
  double at[POINTS];  /* quantiles 0, 1/16, ... 1, in ns */
  double scale;
  int started;
  int way, ways; /* entries of ways[], from the first one on */
};
struct way {
  int after; /* number of the call before, -1 for none */
  int entry; /* of computation[] */
};
static double compute_scale = COMPUTE_SCALE;
static int computes = 1, sleeps;
static double rank_score, owed_ns, last_ns, begun_ns;
static int last_call = -1;
static unsigned long long draw_state;

static inline double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static inline double uniform(void) {
  draw_state = draw_state * 6364136223846793005u + 1442695040888963407u;
  return ((double)(draw_state >> 11) + 0.5) / 9007199254740992.0;
}

/* Quantiles of the normal distribution at 0.5 + i/64, and beyond. */
static const double normal[] = {
    0,      0.0392, 0.0784, 0.1178, 0.1573, 0.1971, 0.2372, 0.2776, 0.3186,
    0.3601, 0.4023, 0.4451, 0.4888, 0.5334, 0.5791, 0.6260, 0.6745, 0.7245,
    0.7764, 0.8305, 0.8871, 0.9467, 1.0100, 1.0775, 1.1503, 1.2299, 1.3180,
    1.4178, 1.5341, 1.6759, 1.8627, 2.1539, 3.5};

static inline double normal_score(double u) {
  double x = 64 * (u < 0.5 ? 0.5 - u : u - 0.5);
  int i = (int)x > 31 ? 31 : (int)x;
  double score = normal[i] + (x - i) * (normal[i + 1] - normal[i]);
  return u < 0.5 ? -score : score;
}

static inline double normal_share(double score) {
  double s = score < 0 ? -score : score;
  int i = 0;
  while (i < 31 && normal[i + 1] < s) ++i;
  double x = i + (s - normal[i]) / (normal[i + 1] - normal[i]);
  double share = 0.5 + (x > 32 ? 32 : x) / 64;
  return score < 0 ? 1 - share : share;
}

static inline double draw(struct compute *c, int is_first) {
  if (is_first) return c->first;
  double u = uniform();
  if (c->of_draw < 1) {
    c->place += 0.618033988749895;
    if (c->place >= 1) c->place -= 1;
    u = normal_share(c->of_rank * rank_score + c->of_draw * normal_score(u) +
                     c->of_time * normal_score(c->place));
  }
  double x = u * (POINTS - 1), sum = 0;
  int i = (int)x >= POINTS - 1 ? POINTS - 2 : (int)x;
  for (int k = 0; k + 1 < POINTS; ++k) sum += (c->at[k] + c->at[k + 1]) / 2;
  if (sum <= 0) return c->mean;
  return (c->at[i] + (x - i) * (c->at[i + 1] - c->at[i])) * c->mean *
         (POINTS - 1) / sum;
}

/* Computes from the return of the call before. What this program itself took
 * longer is taken off the next computation. */
static inline void compute(struct compute *all, const struct way *ways, int k) {
  struct compute *c = &all[k];
  if (!computes) return;
  const struct way *w = &ways[c->way], *end_of_ways = w + c->ways;
  while (w < end_of_ways && w->after != last_call) ++w;
  double ns = draw(w < end_of_ways ? &all[w->entry] : c, !c->started);
  c->started = 1;
  ns = ns * compute_scale * c->scale - owed_ns;
  double end = last_ns + ns, now;
  while ((now = now_ns()) < end) {
    if (sleeps) {
      struct timespec left = {(time_t)((end - now) / 1e9), 0};
      left.tv_nsec = (long)(end - now - 1e9 * (double)left.tv_sec);
      /* Not none at all, where a simulated clock stands still meanwhile. */
      if (left.tv_nsec < 999999999) ++left.tv_nsec;
      nanosleep(&left, NULL);
    } else if (end - now > 200000) {
      sched_yield();
    }
  }
  owed_ns = now - end;
}

#ifdef SELF_SIZING
/* Logarithm and exponential by series: no library but MPI is needed. */
static inline double logarithm(double x) {
  double log = 0;
  for (; x > 1.5; x /= 2) log += 0.69314718055994531;
  for (; x < 0.75; x *= 2) log -= 0.69314718055994531;
  double z = (x - 1) / (x + 1), odd = z;
  for (int i = 1; i < 40; i += 2, odd *= z * z) log += 2 * odd / i;
  return log;
}

static inline double exponential(double x) {
  double result = 1, term = 1;
  int halvings = 0;
  for (; x > 0.5 || x < -0.5; x /= 2) ++halvings;
  for (int i = 1; i < 20; ++i) result += term *= x / i;
  while (halvings-- > 0) result *= result;
  return result;
}

/* Each call computes so many times as long as on the ranks recorded; between
 * two steps that follows a power of the number of ranks. */
static inline void grow(struct compute *computation, int calls, int steps,
                        const double *step_ranks, const double *factors) {
  int i = 0;
  if (steps < 2) return;
  while (i + 2 < steps && step_ranks[i + 1] <= ranks) ++i;
  double share = logarithm(ranks / step_ranks[i]) /
                 logarithm(step_ranks[i + 1] / step_ranks[i]);
  if (share > 1) share = 1;
  for (int k = 0; k < calls; ++k, factors += steps) {
    double more = factors[i] *
                  exponential(share * logarithm(factors[i + 1] / factors[i]));
    computation[k].first *= more;
    computation[k].mean *= more;
  }
}
#endif

#define CALL(k, call)              \
  do {                             \
    compute(computation, ways, k); \
    call;                          \
    last_ns = now_ns();            \
    last_call = k;                 \
  } while (0)

/* Calls one behind the other: each row is the number of a form and what it
 * takes. */
static inline void make_calls(int (*const *forms)(const number *),
                              const number *row, size_t numbers) {
  const number *end = row + numbers;
  while (row < end) {
    int (*form)(const number *) = forms[*row++];
    row += form(row);
  }
}

/* ---- Start ---------------------------------------------------------------
 */
static inline double factor_of(const char *option, const char *text) {
  char *end, why[200];
  double x = strtod(text, &end);
  if (end == text || *end != 0 || !(x >= 0 && x <= 1e9)) {
    snprintf(why, sizeof why, "%s: '%s' is no factor from 0 to 1e9", option,
             text);
    refuse(why);
  }
  return x;
}

static inline void set_option(const char *name, const char *text,
                              struct compute *computation, int calls) {
  char *end;
  double x = strtod(text, &end);
  if (*end == '=' && strcmp(name, "--compute-scale-at") == 0) {
    int at = (int)x;
    if (at < 0 || at >= calls) refuse("--compute-scale-at: no such call");
    computation[at].scale = factor_of(name, end + 1);
  } else if (strcmp(name, "--compute-scale") == 0) {
    compute_scale = factor_of(name, text);
  } else if (strcmp(name, "--bytes-scale") == 0) {
    bytes_scale = factor_of(name, text);
#ifdef SELF_SIZING
  } else if (strcmp(name, "--dims") == 0) {
    dims_option = text;
#endif
  } else if (strcmp(name, "--seed") == 0) {
    draw_state = (unsigned long long)x;
  } else if (strcmp(name, "--scratch") == 0) {
    scratch = text;
  } else if (strcmp(name, "--exchange") == 0) {
    set_exchange(text);
  } else {
    refuse(
        "options: --no-compute, --sleep, --compute-scale X,"
        " --compute-scale-at CALL=X, --bytes-scale X, --exchange NAME=p2p,"
        " --seed N, --scratch FOLDER"
#ifdef SELF_SIZING
        ", --dims AxB"
#endif
    );
  }
}

/* Behind MPI_Init: reads options, checks the size (any for 0), makes
 * buffers. */
static inline void start(int argc, char **argv, int wanted_ranks,
                         double buffer_bytes, struct value **values,
                         struct compute *computation, int calls) {
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (wanted_ranks > 0 && ranks != wanted_ranks) {
    refuse("started with another number of ranks");
  }
  draw_state = 1;
#ifdef EXCHANGE
  set_exchange(EXCHANGE);
#endif
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--no-compute") == 0) {
      computes = 0;
    } else if (strcmp(argv[i], "--sleep") == 0) {
      sleeps = 1;
    } else {
      set_option(argv[i], i + 1 < argc ? argv[i + 1] : "", computation, calls);
      ++i;
    }
  }
  /* Neighbouring ranks are far apart in speed: golden-ratio places. */
  double place = 0.618033988749895 * rank + 0.5 / ranks;
  rank_score = normal_score(place - (double)(long long)place);
  draw_state = draw_state * 2654435769u + (unsigned long long)rank * 40503u;
  for (int i = 0; i < 4; ++i) uniform();
  double grown = bytes_scale > 1 ? bytes_scale : 1;
  make_room(&out, (size_t)(buffer_bytes * grown) + 64);
  make_room(&in, (size_t)(buffer_bytes * grown) + 64);
  /* Pages that were never written all read from one place, too fast. */
  for (size_t i = 0; i < (size_t)(buffer_bytes * grown) && i < 1 << 24; ++i) {
    out[i] = (char)(i * 31);
  }
  for (; *values != NULL; ++values) load(*values);
  last_ns = begun_ns = now_ns();
}

/* Ends the run and says how long it took, as rank 0 sees it. */
static inline void finish(void) {
  double seconds = (now_ns() - begun_ns) * 1e-9;
  MPI_Finalize();
  if (rank != 0) return;
  printf("%d %s: %.6f s\n", ranks, ranks == 1 ? "rank" : "ranks", seconds);
}
