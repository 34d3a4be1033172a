#ifndef REQUESTS
#define REQUESTS 1 /* a power of two, above the farthest look back */
#endif

/* ---- Arrays of arguments: live as long as the requests above ------------ */
static inline void *array(size_t bytes) {
  enum { ARRAYS = 16 * REQUESTS };
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
static struct made {
  number size, excess;
  MPI_Datatype type;
  struct made *next;
} * all_made;

/* MPI calls it first of all in MPI_Finalize. */
static int free_types(MPI_Comm self, int key, void *value, void *state) {
  (void)self, (void)key, (void)value, (void)state;
  for (struct made *m = all_made; m != NULL; m = m->next) {
    PMPI_Type_free(&m->type);
  }
  return MPI_SUCCESS;
}

static inline MPI_Datatype bytes_type(number size, number excess) {
  for (struct made *m = all_made; m != NULL; m = m->next) {
    if (m->size == size && m->excess == excess) return m->type;
  }
  if (all_made == NULL) {
    int key;
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_types, &key, NULL);
    PMPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    PMPI_Comm_free_keyval(&key);
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
  m->next = all_made;
  all_made = m;
  return m->type;
}

static inline MPI_Datatype *types(number n, struct value *kinds,
                                  struct value *sizes, struct value *excesses,
                                  MPI_Datatype (*type)(number, number,
                                                       number)) {
  MPI_Datatype *list = array(sizeof(MPI_Datatype) * (size_t)(n + 1));
  begin_array(kinds, n);
  begin_array(sizes, n);
  begin_array(excesses, n);
  for (number i = 0; i < n; ++i) {
    number kind = next(kinds), size = next(sizes);
    list[i] = type(kind, size, next(excesses));
  }
  list[n] = MPI_BYTE;
  return list;
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
  if (k > REQUESTS) stop("compile with a larger -DREQUESTS, a power of two");
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
  begin_array(v, n);
  for (number i = 0; i < n; ++i) list[i] = (int)next(v);
  return list;
}

/* Takes requests out of the table, to be completed or started: the first
 * `open` of n; the others are null. */
static inline MPI_Request *requests(number n, number open, struct value *v) {
  MPI_Request *list = array(sizeof(MPI_Request) * (size_t)n);
  begin_array(v, open);
  for (number i = 0; i < n; ++i) list[i] = MPI_REQUEST_NULL;
  for (number i = 0; i < open && i < n; ++i) {
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
static inline MPI_Request *done_requests(number n, number open,
                                         struct value *refs, number done,
                                         struct value *indices) {
  if (done == 0) return requests(n, open, refs);
  MPI_Request *list = array(sizeof(MPI_Request) * (size_t)n);
  number *all = array(sizeof(number) * (size_t)open);
  begin_array(refs, open);
  begin_array(indices, done);
  for (number i = 0; i < open; ++i) all[i] = next(refs);
  for (number i = 0; i < n; ++i) list[i] = MPI_REQUEST_NULL;
  for (number i = 0; i < done; ++i) {
    number at = next(indices);
    if (at < 0 || at >= open) stop("completes what was not passed");
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

/* Stands in where no buffer is recorded that the program attached. */
static void *attached, *attached_own;
static inline void attach_own_buffer(void) {
  enum { BYTES = 256 << 20 };
  attached_own = get_memory(BYTES);
  PMPI_Buffer_attach(attached_own, BYTES);
}
static inline void detach_own_buffer(void) {
  int size;
  if (attached_own == NULL) return;
  PMPI_Buffer_detach(&attached_own, &size);
  free(attached_own);
  attached_own = NULL;
}
