/* What a benchmark written by `ranksight generate --to c` stands on: values
 * that differ by rank or from time to time, requests, communicators, types,
 * and computation by spinning. Plain C99 and MPI-3, one rank a process. */
#ifndef RANKSIGHT_BENCHMARK_H
#define RANKSIGHT_BENCHMARK_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* MPI_STATUSES_IGNORE looks like an array of size 0 to gcc. */
#pragma GCC diagnostic ignored "-Wstringop-overflow"

typedef long long number;

static int rank, ranks;
#ifndef BYTES_SCALE
#define BYTES_SCALE 1
#endif
#ifndef COMPUTE_SCALE
#define COMPUTE_SCALE 1
#endif
static double bytes_scale = BYTES_SCALE;
static char *out, *in; /* the buffers that messages leave from and come to */

static inline void stop(const char *why) {
  fprintf(stderr, "rank %d: %s\n", rank, why);
  MPI_Abort(MPI_COMM_WORLD, 70);
  exit(70);
}

static inline void *get_memory(size_t bytes) {
  void *memory = calloc(1, bytes > 0 ? bytes : 1);
  if (memory == NULL) stop("out of memory");
  return memory;
}

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

/* The next of a sequence of values. */
static inline number next(struct value *v) {
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
  return v->terms == NULL ? 0 : next(v);
}

/* ---- Communicators: numbered as this rank obtains them ------------------ */
enum { CHUNK = 1024 };
static MPI_Comm *comm_chunks[1 << 16];
static number comms_made = 2;

static inline MPI_Comm *comm_slot(number k) {
  MPI_Comm **chunk = &comm_chunks[k / CHUNK % (1 << 16)];
  if (*chunk == NULL) *chunk = get_memory(CHUNK * sizeof(MPI_Comm));
  return *chunk + k % CHUNK;
}

static inline MPI_Comm comm(number k) {
  return k == 0 ? MPI_COMM_WORLD : k == 1 ? MPI_COMM_SELF : *comm_slot(k);
}

/* Where a call leaves a communicator of `size` ranks; with size 0 it leaves
 * MPI_COMM_NULL, which takes no number. */
static inline MPI_Comm *new_comm(number size) {
  static MPI_Comm none;
  return size == 0 ? &none : comm_slot(comms_made++);
}

static inline MPI_Comm *old_comm(number k) { return comm_slot(k); }

/* The rank in c of a rank of the world. Remembers the group asked last. */
static inline int rank_in(MPI_Comm c, number world_rank) {
  static MPI_Comm last = MPI_COMM_NULL;
  static int *known;
  static number last_made;
  int inter = 0, size;
  if (world_rank == ANY_PEER) return MPI_ANY_SOURCE;
  if (world_rank == NULL_PEER) return MPI_PROC_NULL;
  if (world_rank == ROOT_PEER) return MPI_ROOT;
  if (c == MPI_COMM_WORLD) return (int)world_rank;
  if (c != last || last_made != comms_made) {
    MPI_Group world, group;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Comm_test_inter(c, &inter);
    if (inter) {
      PMPI_Comm_remote_group(c, &group);
    } else {
      PMPI_Comm_group(c, &group);
    }
    PMPI_Group_size(group, &size);
    int *members = get_memory(sizeof(int) * (size_t)(size + 1));
    int *in_world = get_memory(sizeof(int) * (size_t)(size + 1));
    if (known == NULL) known = get_memory(sizeof(int) * (size_t)ranks);
    for (int i = 0; i < ranks; ++i) known[i] = MPI_UNDEFINED;
    for (int i = 0; i < size; ++i) members[i] = i;
    PMPI_Group_translate_ranks(group, size, members, world, in_world);
    for (int i = 0; i < size; ++i) known[in_world[i]] = i;
    free(members);
    free(in_world);
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    last = c;
    last_made = comms_made;
  }
  return known[world_rank];
}

static inline int tag(number v) { return v == TAG_ANY ? MPI_ANY_TAG : (int)v; }
static inline int color(number v) {
  return v == NO_COLOR ? MPI_UNDEFINED : (int)v;
}

/* Count elements with the bytes scaled; receives round up, so that what is
 * sent always fits. */
static inline int scaled(number count) {
  return bytes_scale == 1 ? (int)count : (int)((double)count * bytes_scale);
}
static inline int scaled_up(number count) {
  double exact = (double)count * bytes_scale;
  int less = (int)exact;
  return bytes_scale == 1 ? (int)count : less + (exact > less);
}

#ifndef REQUESTS
#define REQUESTS 1 /* a power of two, above the farthest look back */
#endif

/* ---- Arrays of arguments: live as long as the requests above ------------ */
static inline void *array(size_t bytes) {
  enum { ARRAYS = 8 * REQUESTS };
  static struct {
    void *memory;
    size_t bytes;
  } arrays[ARRAYS];
  static size_t turn;
  size_t at = turn++ % ARRAYS;
  if (arrays[at].bytes < bytes || arrays[at].memory == NULL) {
    free(arrays[at].memory);
    arrays[at].memory = get_memory(bytes);
    arrays[at].bytes = bytes;
  }
  return arrays[at].memory;
}

/* ---- Types: bytes of the same size and extent where not predefined ------ */
static inline MPI_Datatype bytes_type(number size, number excess) {
  static struct made {
    number size, excess;
    MPI_Datatype type;
    struct made *next;
  } * all;
  for (struct made *m = all; m != NULL; m = m->next) {
    if (m->size == size && m->excess == excess) return m->type;
  }
  struct made *m = get_memory(sizeof *m);
  MPI_Datatype bytes;
  MPI_Aint extent = (MPI_Aint)(size + excess);
  PMPI_Type_contiguous((int)size, MPI_BYTE, &bytes);
  PMPI_Type_create_resized(bytes, 0, extent < 0 ? (MPI_Aint)size : extent,
                           &m->type);
  PMPI_Type_commit(&m->type);
  PMPI_Type_free(&bytes);
  m->size = size;
  m->excess = excess;
  m->next = all;
  all = m;
  return m->type;
}

static inline MPI_Datatype *types(number n, struct value *kinds,
                                  struct value *sizes, struct value *excesses,
                                  MPI_Datatype (*type)(number, number,
                                                       number)) {
  MPI_Datatype *list = array(sizeof(MPI_Datatype) * (size_t)n);
  for (number i = 0; i < n; ++i) {
    number kind = next(kinds), size = next(sizes);
    list[i] = type(kind, size, next(excesses));
  }
  return list;
}

static inline void keep_all(void *from, void *to, int *count,
                            MPI_Datatype *type) {
  (void)from, (void)to, (void)count, (void)type;
}

/* A reduction of the user's own, which computes nothing here. */
static inline MPI_Op user_op(void) {
  static MPI_Op op = MPI_OP_NULL;
  if (op == MPI_OP_NULL) PMPI_Op_create(keep_all, 1, &op);
  return op;
}

/* ---- Requests: the last REQUESTS made, and persistent ones -------------- */
static MPI_Request request_ring[REQUESTS];
static number requests_made, persistent_made;
static MPI_Request *persistent_chunks[1 << 12];

static inline MPI_Request *new_request(void) {
  MPI_Request *r = &request_ring[requests_made++ & (REQUESTS - 1)];
  *r = MPI_REQUEST_NULL;
  return r;
}

/* The k-th last made for k > 0, persistent number -1 - k for k < 0. */
static inline MPI_Request *request(number k) {
  static MPI_Request none;
  none = MPI_REQUEST_NULL;
  if (k == 0) return &none;
  if (k > 0) return &request_ring[(requests_made - k) & (REQUESTS - 1)];
  number p = -1 - k;
  MPI_Request **chunk = &persistent_chunks[p / CHUNK % (1 << 12)];
  if (*chunk == NULL) *chunk = get_memory(CHUNK * sizeof(MPI_Request));
  return *chunk + p % CHUNK;
}

static inline MPI_Request *new_persistent(void) {
  return request(-1 - persistent_made++);
}

static inline int *ints(number n, struct value *v) {
  int *list = array(sizeof(int) * (size_t)n);
  for (number i = 0; i < n; ++i) list[i] = (int)next(v);
  return list;
}

/* Takes n requests out of the table, to be completed or started. */
static inline MPI_Request *requests(number n, struct value *v) {
  MPI_Request *list = array(sizeof(MPI_Request) * (size_t)n);
  for (number i = 0; i < n; ++i) {
    number k = next(v);
    MPI_Request *r = request(k);
    list[i] = *r;
    if (k > 0) *r = MPI_REQUEST_NULL;
  }
  return list;
}

/* A communicator's members, by their ranks in the world. */
static inline MPI_Group group(number n, struct value *members) {
  MPI_Group world, made;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_incl(world, (int)n, ints(n, members), &made);
  PMPI_Group_free(&world);
  return made;
}

/* ---- Completing some of many: those that the recorded call completed ---- */
static inline MPI_Request *done_requests(number n, struct value *refs,
                                         number done, struct value *indices) {
  MPI_Request *list = array(sizeof(MPI_Request) * (size_t)n);
  number *all = array(sizeof(number) * (size_t)n);
  for (number i = 0; i < n; ++i) {
    all[i] = next(refs);
    list[i] = MPI_REQUEST_NULL;
  }
  for (number i = 0; i < done; ++i) {
    number at = next(indices);
    if (at < 0 || at >= n) stop("completes what was not passed");
    MPI_Request *r = request(all[at]);
    list[at] = *r;
    if (all[at] > 0) *r = MPI_REQUEST_NULL;
  }
  return list;
}

static inline void wait_any(number n, MPI_Request *list) {
  int index;
  MPI_Waitany((int)n, list, &index, MPI_STATUS_IGNORE);
}

static inline void test_one(MPI_Request *r) {
  for (int flag = 0; !flag;) MPI_Test(r, &flag, MPI_STATUS_IGNORE);
}

static inline void test_all(number n, MPI_Request *list) {
  for (int flag = 0; !flag;) {
    MPI_Testall((int)n, list, &flag, MPI_STATUSES_IGNORE);
  }
}

static inline void test_any(number n, MPI_Request *list) {
  for (int flag = 0, index; !flag;) {
    MPI_Testany((int)n, list, &index, &flag, MPI_STATUS_IGNORE);
  }
}

/* How many complete at once is up to timing: wait, unseen, until all are. */
static inline void complete_some(number n, MPI_Request *list, int waits) {
  int *indices = array(sizeof(int) * (size_t)n), done;
  for (number i = 0; i < n; ++i) {
    for (int flag = 0; !flag;) {
      PMPI_Request_get_status(list[i], &flag, MPI_STATUS_IGNORE);
    }
  }
  if (waits) {
    MPI_Waitsome((int)n, list, &done, indices, MPI_STATUSES_IGNORE);
  } else {
    MPI_Testsome((int)n, list, &done, indices, MPI_STATUSES_IGNORE);
  }
  PMPI_Waitall((int)n, list, MPI_STATUSES_IGNORE);
}
#define wait_some(n, list) complete_some(n, list, 1)
#define test_some(n, list) complete_some(n, list, 0)

/* Stands in for whatever buffer the program attached. */
static inline void attach_buffer(void) {
  enum { BYTES = 256 << 20 };
  PMPI_Buffer_attach(get_memory(BYTES), BYTES);
}

/* ---- Probes and matched messages, the oldest first ---------------------- */
static MPI_Message *messages;
static size_t messages_first, messages_end, messages_room;

static inline void keep_message(MPI_Message message) {
  if (messages_end == messages_room) {
    messages_room = 2 * messages_room + 16;
    messages = realloc(messages, messages_room * sizeof *messages);
    if (messages == NULL) stop("out of memory");
  }
  messages[messages_end++] = message;
}

static inline MPI_Message *message(void) {
  if (messages_first == messages_end) stop("no message was matched before");
  return &messages[messages_first++];
}

static inline void iprobe(int peer, int with_tag, MPI_Comm c) {
  for (int found = 0; !found;) {
    MPI_Iprobe(peer, with_tag, c, &found, MPI_STATUS_IGNORE);
  }
}

static inline void mprobe(int peer, int with_tag, MPI_Comm c) {
  MPI_Message m;
  MPI_Mprobe(peer, with_tag, c, &m, MPI_STATUS_IGNORE);
  keep_message(m);
}

static inline void improbe(int peer, int with_tag, MPI_Comm c) {
  MPI_Message m;
  for (int found = 0; !found;) {
    MPI_Improbe(peer, with_tag, c, &found, &m, MPI_STATUS_IGNORE);
  }
  keep_message(m);
}

/* ---- Collectives with a count for each rank ----------------------------- */
struct shares {
  int *counts, *places;
  MPI_Datatype type, *types;
  size_t bytes;
};

/* Makes a buffer hold so many bytes. What is under way keeps the old one. */
static inline void make_room(char **buffer, size_t bytes) {
  static size_t room[2];
  size_t *has = &room[buffer == &in];
  if (bytes <= *has) return;
  *has = bytes > 2 * *has ? bytes : 2 * *has;
  *buffer = get_memory(*has);
}

static inline struct shares shares(number n, struct value *counts,
                                   MPI_Datatype type, char **buffer) {
  struct shares s = {array(sizeof(int) * (size_t)n),
                     array(sizeof(int) * (size_t)n), type, NULL, 0};
  MPI_Aint lower, extent;
  size_t place = 0;
  PMPI_Type_get_extent(type, &lower, &extent);
  for (number i = 0; i < n; ++i) {
    s.counts[i] = scaled(next(counts));
    s.places[i] = (int)place;
    place += (size_t)s.counts[i];
  }
  s.bytes = place * (size_t)extent;
  make_room(buffer, s.bytes);
  return s;
}

/* With a type for each rank, too; places count bytes. */
static inline struct shares typed_shares(number n, struct value *counts,
                                         MPI_Datatype *types, char **buffer) {
  struct shares s = {array(sizeof(int) * (size_t)n),
                     array(sizeof(int) * (size_t)n), MPI_BYTE, types, 0};
  size_t place = 0;
  for (number i = 0; i < n; ++i) {
    MPI_Aint lower, extent;
    PMPI_Type_get_extent(types[i], &lower, &extent);
    s.counts[i] = scaled(next(counts));
    s.places[i] = (int)place;
    place += (size_t)s.counts[i] * (size_t)extent;
  }
  make_room(buffer, place);
  return s;
}

static inline void gatherv(const void *from, int n, MPI_Datatype type,
                           struct shares s, int root, MPI_Comm c) {
  MPI_Gatherv(from, n, type, in, s.counts, s.places, s.type, root, c);
}

static inline void igatherv(const void *from, int n, MPI_Datatype type,
                            struct shares s, int root, MPI_Comm c,
                            MPI_Request *r) {
  MPI_Igatherv(from, n, type, in, s.counts, s.places, s.type, root, c, r);
}

static inline void scatterv(struct shares s, void *to, int n, MPI_Datatype type,
                            int root, MPI_Comm c) {
  MPI_Scatterv(out, s.counts, s.places, s.type, to, n, type, root, c);
}

static inline void iscatterv(struct shares s, void *to, int n,
                             MPI_Datatype type, int root, MPI_Comm c,
                             MPI_Request *r) {
  MPI_Iscatterv(out, s.counts, s.places, s.type, to, n, type, root, c, r);
}

static inline void allgatherv(const void *from, int n, MPI_Datatype type,
                              struct shares s, MPI_Comm c) {
  MPI_Allgatherv(from, n, type, in, s.counts, s.places, s.type, c);
}

static inline void iallgatherv(const void *from, int n, MPI_Datatype type,
                               struct shares s, MPI_Comm c, MPI_Request *r) {
  MPI_Iallgatherv(from, n, type, in, s.counts, s.places, s.type, c, r);
}

static inline void alltoallv(const void *from, struct shares s, struct shares r,
                             MPI_Comm c) {
  MPI_Alltoallv(from == MPI_IN_PLACE ? from : out, s.counts, s.places, s.type,
                in, r.counts, r.places, r.type, c);
}

static inline void ialltoallv(const void *from, struct shares s,
                              struct shares r, MPI_Comm c, MPI_Request *q) {
  MPI_Ialltoallv(from == MPI_IN_PLACE ? from : out, s.counts, s.places, s.type,
                 in, r.counts, r.places, r.type, c, q);
}

static inline void alltoallw(const void *from, struct shares s, struct shares r,
                             MPI_Comm c) {
  MPI_Alltoallw(from == MPI_IN_PLACE ? from : out, s.counts, s.places, s.types,
                in, r.counts, r.places, r.types, c);
}

static inline void ialltoallw(const void *from, struct shares s,
                              struct shares r, MPI_Comm c, MPI_Request *q) {
  MPI_Ialltoallw(from == MPI_IN_PLACE ? from : out, s.counts, s.places, s.types,
                 in, r.counts, r.places, r.types, c, q);
}

static inline void reduce_scatter(const void *from, struct shares s, MPI_Op op,
                                  MPI_Comm c) {
  make_room(&out, s.bytes);
  MPI_Reduce_scatter(from == MPI_IN_PLACE ? from : out, in, s.counts, s.type,
                     op, c);
}

static inline void ireduce_scatter(const void *from, struct shares s, MPI_Op op,
                                   MPI_Comm c, MPI_Request *r) {
  make_room(&out, s.bytes);
  MPI_Ireduce_scatter(from == MPI_IN_PLACE ? from : out, in, s.counts, s.type,
                      op, c, r);
}

/* ---- Computation --------------------------------------------------------
 * Before each call: the mean of first calls, then a draw from POINTS points
 * of the distribution, of which a part stays with the rank. */
enum { POINTS = 17 };
struct compute {
  double first, mean; /* ns */
  double of_rank;     /* weight of what stays with the rank, 0 to 1 */
  double of_draw;     /* of the rest; the squares add up to 1 */
  double at[POINTS];  /* quantiles 0, 1/16, ... 1, in ns */
  double scale;
  int started;
};
static double compute_scale = COMPUTE_SCALE;
static int computes = 1;
static double rank_score, owed_ns, last_ns;
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

static inline double draw(struct compute *c) {
  if (!c->started) {
    c->started = 1;
    return c->first;
  }
  double u = uniform();
  if (c->of_rank > 0) {
    u = normal_share(c->of_rank * rank_score + c->of_draw * normal_score(u));
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
static inline void compute(struct compute *c) {
  if (!computes) return;
  double ns = draw(c) * compute_scale * c->scale - owed_ns;
  double end = last_ns + ns, now;
  while ((now = now_ns()) < end) {
    if (end - now > 200000) sched_yield();
  }
  owed_ns = now - end;
}

#define CALL(k, call)         \
  do {                        \
    compute(&computation[k]); \
    call;                     \
    last_ns = now_ns();       \
  } while (0)

/* ---- Start ---------------------------------------------------------------
 */
static inline void set_option(const char *name, const char *text,
                              struct compute *computation, int calls) {
  char *end;
  double x = strtod(text, &end);
  if (*end == '=' && strcmp(name, "--compute-scale-at") == 0) {
    int at = (int)x;
    if (at < 0 || at >= calls) stop("--compute-scale-at: no such call");
    computation[at].scale = strtod(end + 1, NULL);
  } else if (strcmp(name, "--compute-scale") == 0) {
    compute_scale = x;
  } else if (strcmp(name, "--bytes-scale") == 0) {
    bytes_scale = x;
  } else if (strcmp(name, "--seed") == 0) {
    draw_state = (unsigned long long)x;
  } else {
    stop(
        "options: --no-compute, --compute-scale X, --compute-scale-at CALL=X,"
        " --bytes-scale X, --seed N");
  }
}

/* Behind MPI_Init: reads options, checks the size, makes buffers. */
static inline void start(int argc, char **argv, int wanted_ranks,
                         double buffer_bytes, struct value **values,
                         struct compute *computation, int calls) {
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks != wanted_ranks) stop("started with another number of ranks");
  draw_state = 1;
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--no-compute") == 0) {
      computes = 0;
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
  last_ns = now_ns();
}
#endif
