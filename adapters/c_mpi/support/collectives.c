/* ---- Blocking collectives, as such or as messages ----------------------- */
static inline void barrier(MPI_Comm c) {
  MPI_Comm x = exchange(BARRIER, c);
  int me;
  if (x == MPI_COMM_NULL) {
    MPI_Barrier(c);
    return;
  }
  PMPI_Comm_rank(x, &me);
  struct side other = same_for_all(out, 0, MPI_BYTE, me == 0 ? -1 : 0);
  other.self = 0;
  trade(x, me == 0 ? NULL : &other, me == 0 ? &other : NULL);
  spread(x, out, 0, MPI_BYTE, 0);
}

static inline void bcast(void *buffer, int n, MPI_Datatype type, int root,
                         MPI_Comm c) {
  MPI_Comm x = exchange(BCAST, c);
  if (x == MPI_COMM_NULL) {
    MPI_Bcast(buffer, n, type, root, c);
  } else {
    spread(x, buffer, n, type, root);
  }
}

/* To the root, its own share included; `each` is what the root receives. */
static inline void collect(MPI_Comm x, const void *from, int n,
                           MPI_Datatype type, struct side each, int root) {
  int me;
  PMPI_Comm_rank(x, &me);
  struct side own = same_for_all(from, n, type, root);
  each.self = from != MPI_IN_PLACE;
  trade(x, from == MPI_IN_PLACE ? NULL : &own, me == root ? &each : NULL);
}

static inline void gather(const void *from, int n, MPI_Datatype type, void *to,
                          int rn, MPI_Datatype rtype, int root, MPI_Comm c) {
  MPI_Comm x = exchange(GATHER, c);
  if (x == MPI_COMM_NULL) {
    MPI_Gather(from, n, type, to, rn, rtype, root, c);
  } else {
    collect(x, from, n, type, one_for_each(to, rn, rtype), root);
  }
}

static inline void gatherv(const void *from, int n, MPI_Datatype type,
                           struct shares s, int root, MPI_Comm c) {
  MPI_Comm x = exchange(GATHERV, c);
  if (x == MPI_COMM_NULL) {
    MPI_Gatherv(from, n, type, in, s.counts, s.places, s.type, root, c);
  } else {
    collect(x, from, n, type, share_for_each(in, &s), root);
  }
}

/* From the root, its own share included; `each` is what the root sends. */
static inline void deal(MPI_Comm x, struct side each, void *to, int n,
                        MPI_Datatype type, int root) {
  int me;
  PMPI_Comm_rank(x, &me);
  struct side own = same_for_all(to, n, type, root);
  each.self = to != MPI_IN_PLACE;
  trade(x, me == root ? &each : NULL, to == MPI_IN_PLACE ? NULL : &own);
}

static inline void scatter(void *from, int n, MPI_Datatype type, void *to,
                           int rn, MPI_Datatype rtype, int root, MPI_Comm c) {
  MPI_Comm x = exchange(SCATTER, c);
  if (x == MPI_COMM_NULL) {
    MPI_Scatter(from, n, type, to, rn, rtype, root, c);
  } else {
    deal(x, one_for_each(from, n, type), to, rn, rtype, root);
  }
}

static inline void scatterv(struct shares s, void *to, int n, MPI_Datatype type,
                            int root, MPI_Comm c) {
  MPI_Comm x = exchange(SCATTERV, c);
  if (x == MPI_COMM_NULL) {
    MPI_Scatterv(out, s.counts, s.places, s.type, to, n, type, root, c);
  } else {
    deal(x, share_for_each(out, &s), to, n, type, root);
  }
}

/* The same to all; in place it is the own share of what is received. */
static inline void share_all(MPI_Comm x, const void *from, int n,
                             MPI_Datatype type, struct side each) {
  int me;
  PMPI_Comm_rank(x, &me);
  struct side own = part(each, me);
  if (from != MPI_IN_PLACE) own = same_for_all(from, n, type, -1);
  own.apart = 0;
  own.shares = NULL;
  own.self = each.self = from != MPI_IN_PLACE;
  trade(x, &own, &each);
}

static inline void allgather(const void *from, int n, MPI_Datatype type,
                             void *to, int rn, MPI_Datatype rtype, MPI_Comm c) {
  MPI_Comm x = exchange(ALLGATHER, c);
  if (x == MPI_COMM_NULL) {
    MPI_Allgather(from, n, type, to, rn, rtype, c);
  } else {
    share_all(x, from, n, type, one_for_each(to, rn, rtype));
  }
}

static inline void allgatherv(const void *from, int n, MPI_Datatype type,
                              struct shares s, MPI_Comm c) {
  MPI_Comm x = exchange(ALLGATHERV, c);
  if (x == MPI_COMM_NULL) {
    MPI_Allgatherv(from, n, type, in, s.counts, s.places, s.type, c);
  } else {
    share_all(x, from, n, type, share_for_each(in, &s));
  }
}

/* In place as much is sent as received, from the other buffer. */
static inline void alltoall(const void *from, int n, MPI_Datatype type,
                            void *to, int rn, MPI_Datatype rtype, MPI_Comm c) {
  MPI_Comm x = exchange(ALLTOALL, c);
  if (x == MPI_COMM_NULL) {
    MPI_Alltoall(from, n, type, to, rn, rtype, c);
  } else {
    int in_place = from == MPI_IN_PLACE;
    struct side s =
        one_for_each(out, in_place ? rn : n, in_place ? rtype : type);
    struct side r = one_for_each(to, rn, rtype);
    trade(x, &s, &r);
  }
}

static inline void trade_shares(MPI_Comm x, const void *from,
                                const struct shares *s,
                                const struct shares *r) {
  if (from == MPI_IN_PLACE) s = r;
  make_room(&out, s->bytes);
  struct side sent = share_for_each(out, s), received = share_for_each(in, r);
  trade(x, &sent, &received);
}

static inline void alltoallv(const void *from, struct shares s, struct shares r,
                             MPI_Comm c) {
  MPI_Comm x = exchange(ALLTOALLV, c);
  if (x == MPI_COMM_NULL) {
    MPI_Alltoallv(from == MPI_IN_PLACE ? from : out, s.counts, s.places, s.type,
                  in, r.counts, r.places, r.type, c);
  } else {
    trade_shares(x, from, &s, &r);
  }
}

static inline void alltoallw(const void *from, struct shares s, struct shares r,
                             MPI_Comm c) {
  MPI_Comm x = exchange(ALLTOALLW, c);
  if (x == MPI_COMM_NULL) {
    MPI_Alltoallw(from == MPI_IN_PLACE ? from : out, s.counts, s.places,
                  s.types, in, r.counts, r.places, r.types, c);
  } else {
    trade_shares(x, from, &s, &r);
  }
}

static inline void reduce(const void *from, void *to, int n, MPI_Datatype type,
                          MPI_Op op, int root, MPI_Comm c) {
  MPI_Comm x = exchange(REDUCE, c);
  if (x == MPI_COMM_NULL) {
    MPI_Reduce(from, to, n, type, op, root, c);
  } else {
    combine(x, from, to, n, type, op, root);
  }
}

/* To the first member, and from there to all. */
static inline void allreduce(const void *from, void *to, int n,
                             MPI_Datatype type, MPI_Op op, MPI_Comm c) {
  MPI_Comm x = exchange(ALLREDUCE, c);
  if (x == MPI_COMM_NULL) {
    MPI_Allreduce(from, to, n, type, op, c);
  } else {
    combine(x, from, to, n, type, op, 0);
    spread(x, to, n, type, 0);
  }
}

static inline void scan(const void *from, void *to, int n, MPI_Datatype type,
                        MPI_Op op, MPI_Comm c) {
  MPI_Comm x = exchange(SCAN, c);
  if (x == MPI_COMM_NULL) {
    MPI_Scan(from, to, n, type, op, c);
  } else {
    pass_on(x, to, n, type, op);
  }
}

static inline void exscan(const void *from, void *to, int n, MPI_Datatype type,
                          MPI_Op op, MPI_Comm c) {
  MPI_Comm x = exchange(EXSCAN, c);
  if (x == MPI_COMM_NULL) {
    MPI_Exscan(from, to, n, type, op, c);
  } else {
    pass_on(x, to, n, type, op);
  }
}

static inline void reduce_scatter(const void *from, struct shares s, MPI_Op op,
                                  MPI_Comm c) {
  MPI_Comm x = exchange(REDUCE_SCATTER, c);
  make_room(&out, s.bytes);
  if (x == MPI_COMM_NULL) {
    MPI_Reduce_scatter(from == MPI_IN_PLACE ? from : out, in, s.counts, s.type,
                       op, c);
  } else {
    combine_shares(x, share_for_each(out, &s), in, op);
  }
}

static inline void reduce_scatter_block(const void *from, void *to, int n,
                                        MPI_Datatype type, MPI_Op op,
                                        MPI_Comm c) {
  MPI_Comm x = exchange(REDUCE_SCATTER_BLOCK, c);
  if (x == MPI_COMM_NULL) {
    MPI_Reduce_scatter_block(from, to, n, type, op, c);
  } else {
    combine_shares(x, one_for_each(out, n, type), to, op);
  }
}

/* ---- Begun and persistent ones with a count for each rank --------------- */
#define LIST(...) __VA_ARGS__
#if MPI_VERSION >= 4
#define PERSISTENT(Name, name, parameters, before, ...)        \
  static inline void name##_init(parameters, MPI_Request *q) { \
    before;                                                    \
    MPI_##Name##_init(__VA_ARGS__, MPI_INFO_NULL, q);          \
  }
#else
#define PERSISTENT(Name, name, parameters, before, ...)
#endif
#define BEGUN(Name, name, parameters, before, ...)         \
  static inline void i##name(parameters, MPI_Request *q) { \
    before;                                                \
    MPI_I##name(__VA_ARGS__, q);                           \
  }                                                        \
  PERSISTENT(Name, name, LIST(parameters), before, __VA_ARGS__)
BEGUN(Gatherv, gatherv,
      LIST(const void *from, int n, MPI_Datatype type, struct shares s,
           int root, MPI_Comm c),
      (void)0, from, n, type, in, s.counts, s.places, s.type, root, c)
BEGUN(Scatterv, scatterv,
      LIST(struct shares s, void *to, int n, MPI_Datatype type, int root,
           MPI_Comm c),
      (void)0, out, s.counts, s.places, s.type, to, n, type, root, c)
BEGUN(Allgatherv, allgatherv,
      LIST(const void *from, int n, MPI_Datatype type, struct shares s,
           MPI_Comm c),
      (void)0, from, n, type, in, s.counts, s.places, s.type, c)
BEGUN(Alltoallv, alltoallv,
      LIST(const void *from, struct shares s, struct shares r, MPI_Comm c),
      (void)0, from == MPI_IN_PLACE ? from : out, s.counts, s.places, s.type,
      in, r.counts, r.places, r.type, c)
BEGUN(Alltoallw, alltoallw,
      LIST(const void *from, struct shares s, struct shares r, MPI_Comm c),
      (void)0, from == MPI_IN_PLACE ? from : out, s.counts, s.places, s.types,
      in, r.counts, r.places, r.types, c)
BEGUN(Reduce_scatter, reduce_scatter,
      LIST(const void *from, struct shares s, MPI_Op op, MPI_Comm c),
      make_room(&out, s.bytes), from == MPI_IN_PLACE ? from : out, in, s.counts,
      s.type, op, c)
