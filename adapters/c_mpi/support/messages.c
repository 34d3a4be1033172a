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
  begin_array(counts, n);
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
  begin_array(counts, n);
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
