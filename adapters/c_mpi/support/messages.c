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
  MPI_Aint *byte_places; /* with types: places, as neighbours want them */
  size_t bytes;
  number n;
};

/* Makes a buffer hold so many bytes. What is under way keeps the old one. */
static inline void make_room(char **buffer, size_t bytes) {
  static size_t room[2];
  size_t *has = &room[buffer == &in];
  if (bytes <= *has) return;
  *has = bytes > 2 * *has ? bytes : 2 * *has;
  *buffer = get_memory(*has);
}

/* How far an element reaches beyond where the next one begins: elements of a
 * column lie between one another. */
static inline size_t reach_beyond(MPI_Datatype type, MPI_Aint extent) {
  int size;
  PMPI_Type_size(type, &size);
  return size > extent ? (size_t)(size - extent) : 0;
}

/* Of nobody, too: MPICH looks at arrays without elements. */
static inline void end_shares(struct shares *s) {
  s->counts[s->n] = s->places[s->n] = 0;
  if (s->byte_places != NULL) s->byte_places[s->n] = 0;
}

static inline struct shares shares(number n, struct value *counts,
                                   MPI_Datatype type, char **buffer) {
  struct shares s = {array(sizeof(int) * (size_t)(n + 1)),
                     array(sizeof(int) * (size_t)(n + 1)),
                     type,
                     NULL,
                     NULL,
                     0,
                     n};
  MPI_Aint lower, extent;
  size_t place = 0;
  PMPI_Type_get_extent(type, &lower, &extent);
  begin_array(counts, n);
  for (number i = 0; i < n; ++i) {
    s.counts[i] = scaled(next(counts));
    s.places[i] = (int)place;
    place += (size_t)s.counts[i];
  }
  s.bytes = place * (size_t)extent + reach_beyond(type, extent);
  make_room(buffer, s.bytes);
  end_shares(&s);
  return s;
}

/* With a type for each rank, too; places count bytes. */
static inline struct shares typed_shares(number n, struct value *counts,
                                         MPI_Datatype *types, char **buffer) {
  struct shares s = {array(sizeof(int) * (size_t)(n + 1)),
                     array(sizeof(int) * (size_t)(n + 1)),
                     MPI_BYTE,
                     types,
                     array(sizeof(MPI_Aint) * (size_t)(n + 1)),
                     0,
                     n};
  size_t place = 0, beyond = 0;
  begin_array(counts, n);
  for (number i = 0; i < n; ++i) {
    MPI_Aint lower, extent;
    PMPI_Type_get_extent(types[i], &lower, &extent);
    s.counts[i] = scaled(next(counts));
    s.places[i] = (int)place;
    s.byte_places[i] = (MPI_Aint)place;
    place += (size_t)s.counts[i] * (size_t)extent;
    if (reach_beyond(types[i], extent) > beyond) {
      beyond = reach_beyond(types[i], extent);
    }
  }
  s.bytes = place + beyond;
  make_room(buffer, s.bytes);
  end_shares(&s);
  return s;
}

static inline void *kept_array(const void *list, size_t bytes) {
  return list == NULL ? NULL : memcpy(get_memory(bytes), list, bytes);
}

/* Arrays that MPI may read until a persistent request is gone. */
static inline struct shares kept(struct shares s) {
  size_t n = (size_t)s.n + 1;
  s.counts = kept_array(s.counts, sizeof *s.counts * n);
  s.places = kept_array(s.places, sizeof *s.places * n);
  s.types = kept_array(s.types, sizeof *s.types * n);
  s.byte_places = kept_array(s.byte_places, sizeof *s.byte_places * n);
  return s;
}
