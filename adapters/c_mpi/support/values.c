/* ---- Values: nested regular sections ------------------------------------
 * A section is `terms, (value, stride, count, body terms, body...)...`: a
 * term without body is the run value, value + stride, ...; one with a body
 * repeats it count times and adds stride to all in it each time round. A
 * parameter is `pieces, (ranks, terms of its shape, (body terms, three
 * columns)...)...`, each column `relative to the rank, section over ranks`;
 * the body terms of a shape are counted with those within them. */
#define ANY_PEER (-((number)1 << 40) - 1)
#define NULL_PEER (ANY_PEER - 1)
#define ROOT_PEER (ANY_PEER - 2)
#define TAG_ANY (ANY_PEER - 3)
#define NO_COLOR (ANY_PEER - 4)
static inline int is_special(number v) { return v <= -((number)1 << 40); }

struct term {
  number value, stride, count;
  int body; /* terms of the body, with those within them */
  int end;  /* index of the term behind this one */
};
struct level {
  int begin, at, end;
  number round, shift;
};
struct value {
  const number *data; /* the parameter */
  struct term *terms;
  struct level stack[33];
  int depth;
  number now; /* the first value, for those that stay the same */
  /* Of programs that run on any number of ranks, instead of data: `firsts`
   * values, then those at the places k = 0, ..., n - 1 again and again, with
   * n = period(); without a period k counts in each array of length n. */
  number (*law)(number k, number n);
  number (*first)(number k, number n);
  number (*period)(void);
  number firsts, place, length;
};

static inline const number *skip_section(const number *s) {
  number left = *s++;
  while (left-- > 0) {
    left += s[3];
    s += 4;
  }
  return s;
}

static inline const number *skip_term(const number *t) {
  number body = t[3];
  for (t += 4; body > 0; --body) t = skip_term(t);
  return t;
}

static inline number size_of_terms(const number *t, number terms) {
  number size = 0;
  for (; terms > 0; --terms) {
    size += t[3] > 0 ? t[2] * size_of_terms(t + 4, t[3]) : t[2];
    t = skip_term(t);
  }
  return size;
}

/* The value at a place of a list of terms. */
static inline number value_at(const number *t, number terms, number place) {
  for (; terms > 0; --terms) {
    number once = t[3] > 0 ? size_of_terms(t + 4, t[3]) : 1;
    if (place < once * t[2]) {
      if (t[3] == 0) return t[0] + t[1] * place;
      return value_at(t + 4, t[3], place % once) + t[1] * (place / once);
    }
    place -= once * t[2];
    t = skip_term(t);
  }
  stop("a table of values ends early");
  return 0;
}

/* Place of v among ascending terms, or -1. */
static inline number place_of(const number *t, number terms, number v) {
  number before = 0;
  for (; terms > 0; --terms) {
    number once = t[3] > 0 ? size_of_terms(t + 4, t[3]) : 1;
    if (t[3] > 0) {
      for (number round = 0; round < t[2]; ++round) {
        number place = place_of(t + 4, t[3], v - round * t[1]);
        if (place >= 0) return before + round * once + place;
      }
    } else if (v == t[0]) {
      return before;
    } else if (t[1] > 0 && v > t[0] && (v - t[0]) % t[1] == 0 &&
               (v - t[0]) / t[1] < t[2]) {
      return before + (v - t[0]) / t[1];
    }
    before += once * t[2];
    t = skip_term(t);
  }
  return -1;
}

/* Reads one column at `place` and moves *data behind it. */
static inline number read_column(const number **data, number place) {
  number relative = **data;
  const number *section = *data + 1;
  number v = value_at(section + 1, *section, place);
  *data = skip_section(section);
  return relative && !is_special(v) ? v + rank : v;
}

static inline void enter(struct value *v, int begin, int end, number shift) {
  struct level l = {begin, begin, end, 0, shift};
  if (v->depth == 33) stop("a table of values is nested too deeply");
  v->stack[v->depth++] = l;
}

/* Finds what the parameter says about this rank. */
static inline void load(struct value *v) {
  const number *data = v->data;
  if (v->law != NULL) return;
  v->depth = 0;
  for (number pieces = *data++; pieces > 0; --pieces) {
    number place = place_of(data + 1, *data, rank);
    data = skip_section(data);
    int size = (int)*data++;
    if (place >= 0) v->terms = get_memory(sizeof(struct term) * (size_t)size);
    for (int i = 0; i < size; ++i) {
      int body = (int)*data++;
      if (place < 0) {
        for (int c = 0; c < 3; ++c) data = skip_section(data + 1);
        continue;
      }
      v->terms[i].body = body;
      v->terms[i].end = i + 1 + body;
      v->terms[i].value = read_column(&data, place);
      v->terms[i].stride = read_column(&data, place);
      v->terms[i].count = read_column(&data, place);
    }
    if (place < 0) continue;
    enter(v, 0, size, 0);
    int first = 0;
    while (v->terms[first].body > 0) ++first;
    v->now = v->terms[first].value;
    return;
  }
}

static inline number next_by_law(struct value *v) {
  number k = v->place++;
  if (k < v->firsts) return v->first(k, v->firsts);
  if (v->period != NULL && v->length == 0) v->length = v->period();
  if (v->length < 1) stop("a law gives no values");
  k -= v->firsts;
  return v->law(v->period != NULL ? k % v->length : k, v->length);
}

/* Before n values for one array are read. */
static inline void begin_array(struct value *v, number n) {
  if (v->law == NULL || v->period != NULL) return;
  v->place = 0;
  v->length = n;
}

/* The next of a sequence of values. */
static inline number next(struct value *v) {
  if (v->law != NULL) return next_by_law(v);
  while (v->depth > 0) {
    struct level *l = &v->stack[v->depth - 1];
    if (l->at == l->end) {
      if (--v->depth == 0) break;
      l = &v->stack[v->depth - 1];
      ++l->round;
    }
    struct term *t = &v->terms[l->at];
    if (l->round == t->count) {
      l->round = 0;
      l->at = t->end;
    } else if (t->body > 0) {
      enter(v, l->at + 1, t->end, l->shift + t->stride * l->round);
    } else {
      return t->value + t->stride * l->round++ + l->shift;
    }
  }
  stop("a sequence of values ends early");
  return 0;
}

/* How often something happens this time; never where a rank has no say. */
static inline number times(struct value *v) {
  return v->terms == NULL && v->law == NULL ? 0 : next(v);
}
