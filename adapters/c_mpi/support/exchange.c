/* ---- Messages in place of collectives: --exchange NAME=p2p --------------
 * Blocking ones, within one group of ranks. They go through a communicator of
 * their own, so that no receive of the program takes one of them. */
enum collective {
  BARRIER,
  BCAST,
  SCATTER,
  SCATTERV,
  GATHER,
  GATHERV,
  ALLGATHER,
  ALLGATHERV,
  ALLTOALL,
  ALLTOALLV,
  ALLTOALLW,
  REDUCE,
  ALLREDUCE,
  SCAN,
  EXSCAN,
  REDUCE_SCATTER,
  REDUCE_SCATTER_BLOCK,
  COLLECTIVES
};
static const char *const collective_names[] = {"barrier",
                                               "bcast",
                                               "scatter",
                                               "scatterv",
                                               "gather",
                                               "gatherv",
                                               "allgather",
                                               "allgatherv",
                                               "alltoall",
                                               "alltoallv",
                                               "alltoallw",
                                               "reduce",
                                               "allreduce",
                                               "scan",
                                               "exscan",
                                               "reduce_scatter",
                                               "reduce_scatter_block"};
static char by_messages[COLLECTIVES];

/* "alltoall=p2p,bcast=collective"; the name `all` stands for each. */
static inline void set_exchange(const char *text) {
  while (*text != '\0') {
    size_t name = strcspn(text, "="), what = strcspn(text, ",");
    int to_messages = what == name + 4 && !strncmp(text + name, "=p2p", 4);
    int known = 0;
    if (!to_messages &&
        (what != name + 11 || strncmp(text + name, "=collective", 11) != 0)) {
      refuse("--exchange: a list of NAME=p2p or NAME=collective");
    }
    for (int i = 0; i < COLLECTIVES; ++i) {
      const char *own = collective_names[i];
      int all = name == 3 && !strncmp(text, "all", 3);
      if (!all && (strlen(own) != name || strncmp(text, own, name))) continue;
      by_messages[i] = (char)to_messages;
      known = 1;
    }
    if (!known) refuse("--exchange: no such collective");
    text += what + (text[what] == ',');
  }
}

static int free_exchange(MPI_Comm c, int key, void *made, void *state) {
  (void)c, (void)key, (void)state;
  PMPI_Comm_free(made);
  free(made);
  return MPI_SUCCESS;
}

/* Where the messages go that stand for this collective, made when it is first
 * wanted; MPI_COMM_NULL when the collective stays one. */
static inline MPI_Comm exchange(enum collective which, MPI_Comm c) {
  static int key = MPI_KEYVAL_INVALID;
  MPI_Comm *made;
  int inter, found;
  if (!by_messages[which]) return MPI_COMM_NULL;
  PMPI_Comm_test_inter(c, &inter);
  if (inter) return MPI_COMM_NULL;
  if (key == MPI_KEYVAL_INVALID) {
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_exchange, &key, NULL);
  }
  PMPI_Comm_get_attr(c, key, &made, &found);
  if (!found) {
    made = get_memory(sizeof *made);
    MPI_Comm_dup(c, made); /* seen by recorders, as the messages are */
    PMPI_Comm_set_attr(c, key, made);
  }
  return *made;
}

/* What goes to, or comes from, each member k. */
struct side {
  char *buffer;
  int n; /* elements, without shares */
  MPI_Datatype type;
  size_t apart; /* bytes from one member's to the next; 0: the same for all */
  const struct shares *shares; /* or one for each */
  int only;                    /* the one member, or -1 for all */
  int self;                    /* whether the own share is a message, too */
};

static inline size_t extent_of(MPI_Datatype type) {
  MPI_Aint lower, extent;
  PMPI_Type_get_extent(type, &lower, &extent);
  return (size_t)extent;
}

static inline struct side same_for_all(const void *buffer, int n,
                                       MPI_Datatype type, int only) {
  struct side s = {(char *)(size_t)buffer, n, type, 0, NULL, only, 1};
  return s;
}

static inline struct side one_for_each(void *buffer, int n, MPI_Datatype type) {
  struct side s = same_for_all(buffer, n, type, -1);
  s.apart = (size_t)n * extent_of(type);
  return s;
}

static inline struct side share_for_each(void *buffer,
                                         const struct shares *shares) {
  struct side s = same_for_all(buffer, 0, shares->type, -1);
  s.shares = shares;
  return s;
}

/* Narrows s to what lies between this rank and member k. */
static inline struct side part(struct side s, int k) {
  s.buffer += (size_t)k * s.apart;
  if (s.shares == NULL) return s;
  s.n = s.shares->counts[k];
  if (s.shares->types != NULL) {
    s.type = s.shares->types[k];
    s.buffer += s.shares->places[k];
  } else {
    s.buffer += (size_t)s.shares->places[k] * extent_of(s.type);
  }
  return s;
}

/* All receives, all sends, beginning with the own rank, and one wait. Either
 * side may be missing. */
static inline void trade(MPI_Comm c, const struct side *from,
                         const struct side *to) {
  int me, size, used = 0;
  PMPI_Comm_rank(c, &me);
  PMPI_Comm_size(c, &size);
  MPI_Request *list = array(sizeof(MPI_Request) * 2 * (size_t)size);
  for (int i = 0; to != NULL && i < size; ++i) {
    int k = (me + size - i) % size;
    if ((to->only >= 0 && to->only != k) || (k == me && !to->self)) continue;
    struct side p = part(*to, k);
    MPI_Irecv(p.buffer, p.n, p.type, k, 0, c, &list[used++]);
  }
  for (int i = 0; from != NULL && i < size; ++i) {
    int k = (me + i) % size;
    if ((from->only >= 0 && from->only != k) || (k == me && !from->self)) {
      continue;
    }
    struct side p = part(*from, k);
    MPI_Isend(p.buffer, p.n, p.type, k, 0, c, &list[used++]);
  }
  MPI_Waitall(used, list, MPI_STATUSES_IGNORE);
}

/* From one member to the others, and the other way round. */
static inline void spread(MPI_Comm c, void *buffer, int n, MPI_Datatype type,
                          int root) {
  int me;
  PMPI_Comm_rank(c, &me);
  struct side s = same_for_all(buffer, n, type, me == root ? -1 : root);
  s.self = 0;
  trade(c, me == root ? &s : NULL, me == root ? NULL : &s);
}

/* The root combines what the others send with what lies in `to`. */
static inline void combine(MPI_Comm c, const void *from, void *to, int n,
                           MPI_Datatype type, MPI_Op op, int root) {
  int me, size;
  PMPI_Comm_rank(c, &me);
  PMPI_Comm_size(c, &size);
  if (me != root) {
    MPI_Send(from == MPI_IN_PLACE ? to : from, n, type, root, 0, c);
    return;
  }
  for (int k = 0; k < size; ++k) {
    if (k == me) continue;
    MPI_Recv(out, n, type, k, 0, c, MPI_STATUS_IGNORE);
    PMPI_Reduce_local(out, to, n, type, op);
  }
}

/* From each member to the next. */
static inline void pass_on(MPI_Comm c, void *to, int n, MPI_Datatype type,
                           MPI_Op op) {
  int me, size;
  PMPI_Comm_rank(c, &me);
  PMPI_Comm_size(c, &size);
  if (me > 0) {
    MPI_Recv(out, n, type, me - 1, 0, c, MPI_STATUS_IGNORE);
    PMPI_Reduce_local(out, to, n, type, op);
  }
  if (me + 1 < size) MPI_Send(to, n, type, me + 1, 0, c);
}

/* To each member its share, which it combines. The own one makes room for
 * those that come. */
static inline void combine_shares(MPI_Comm c, struct side all, void *to,
                                  MPI_Op op) {
  int me, size, used = 0;
  PMPI_Comm_rank(c, &me);
  PMPI_Comm_size(c, &size);
  MPI_Request *list = array(sizeof(MPI_Request) * (size_t)size);
  struct side own = part(all, me);
  for (int i = 1; i < size; ++i) {
    struct side p = part(all, (me + i) % size);
    MPI_Isend(p.buffer, p.n, p.type, (me + i) % size, 0, c, &list[used++]);
  }
  for (int i = 1; i < size; ++i) {
    MPI_Recv(own.buffer, own.n, own.type, (me + size - i) % size, 0, c,
             MPI_STATUS_IGNORE);
    PMPI_Reduce_local(own.buffer, to, own.n, own.type, op);
  }
  MPI_Waitall(used, list, MPI_STATUSES_IGNORE);
}
