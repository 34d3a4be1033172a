/* ---- Modes: by what they mean, as this MPI numbers them ----------------- */
enum mode_kind { kAssertion, kAccess, kWhence, kOrder };
static const struct mode {
  enum mode_kind kind;
  number number;
  int here;
} modes[] = {
#define RANKSIGHT_MODE(kind, number, name) {kind, number, name},
#include "reduction/api/modes.def"
#undef RANKSIGHT_MODE
};

static inline int mode_bits(enum mode_kind kind, number bits) {
  int here = 0;
  for (size_t i = 0; i < sizeof modes / sizeof *modes; ++i) {
    if (modes[i].kind == kind && (modes[i].number & bits)) {
      here |= modes[i].here;
    }
  }
  return here;
}

static inline int mode_number(enum mode_kind kind, number wanted) {
  for (size_t i = 0; i < sizeof modes / sizeof *modes; ++i) {
    if (modes[i].kind == kind && modes[i].number == wanted) {
      return modes[i].here;
    }
  }
  stop("a mode that is none");
  return 0;
}

/* ---- Windows: numbered as this rank makes them, memory of their own ----- */
struct attached_memory {
  char *memory;
  struct attached_memory *next;
};
struct window {
  MPI_Win handle;
  int *known; /* each rank of the world's rank in it */
  char *memory;
  int is_dynamic;
  struct attached_memory *first, *last;
};
static struct window **windows;
static number windows_made, windows_room;

static inline struct window *window(number k) {
  if (k < 0 || k >= windows_made) stop("uses a window that was never made");
  return windows[k];
}

static inline struct window *new_window(void) {
  if (windows_made == windows_room) {
    windows_room = 2 * windows_room + 16;
    windows = realloc(windows, (size_t)windows_room * sizeof *windows);
    if (windows == NULL) stop("out of memory");
  }
  return windows[windows_made++] = get_memory(sizeof(struct window));
}

/* Places stay, so what is moved there may reach so much farther. */
static inline MPI_Aint window_bytes(number size) {
  return (MPI_Aint)((double)size * (bytes_scale > 1 ? 1 + bytes_scale : 1));
}

static inline void begin_window(struct window *w) {
  MPI_Group group;
  PMPI_Win_get_group(w->handle, &group);
  w->known = get_memory(sizeof(int) * (size_t)ranks);
  know_ranks(group, w->known);
}

static inline void win_create(number size, int unit, MPI_Comm c) {
  struct window *w = new_window();
  w->memory = get_memory((size_t)window_bytes(size));
  MPI_Win_create(w->memory, window_bytes(size), unit, MPI_INFO_NULL, c,
                 &w->handle);
  begin_window(w);
}

static inline void win_allocate(number size, int unit, MPI_Comm c) {
  struct window *w = new_window();
  void *base;
  MPI_Win_allocate(window_bytes(size), unit, MPI_INFO_NULL, c, &base,
                   &w->handle);
  begin_window(w);
}

static inline void win_allocate_shared(number size, int unit, MPI_Comm c) {
  struct window *w = new_window();
  void *base;
  MPI_Win_allocate_shared(window_bytes(size), unit, MPI_INFO_NULL, c, &base,
                          &w->handle);
  begin_window(w);
}

static inline void win_create_dynamic(MPI_Comm c) {
  struct window *w = new_window();
  w->is_dynamic = 1;
  MPI_Win_create_dynamic(MPI_INFO_NULL, c, &w->handle);
  begin_window(w);
}

static inline void win_attach(struct window *w, number size) {
  struct attached_memory *a = get_memory(sizeof *a);
  a->memory = get_memory((size_t)window_bytes(size));
  *(w->first == NULL ? &w->first : &w->last->next) = a;
  w->last = a;
  MPI_Win_attach(w->handle, a->memory, window_bytes(size));
}

/* Which of several is not recorded: the oldest. */
static inline void win_detach(struct window *w) {
  struct attached_memory *a = w->first;
  if (a == NULL) stop("detaches what was never attached");
  MPI_Win_detach(w->handle, a->memory);
  w->first = a->next;
  free(a->memory);
  free(a);
}

static inline void win_free(struct window *w) {
  MPI_Win_free(&w->handle);
  free(w->memory);
  free(w->known);
  w->memory = NULL;
  w->known = NULL;
}

static inline int rank_in_window(const struct window *w, number world_rank) {
  if (world_rank == NULL_PEER) return MPI_PROC_NULL;
  if (w->known == NULL) stop("uses a window that was freed");
  return w->known[world_rank];
}

/* Whom data go to or come from. Places in a dynamic window are addresses of the
 * recorded run: nobody. */
static inline int rank_moved_to(const struct window *w, number world_rank) {
  return w->is_dynamic ? MPI_PROC_NULL : rank_in_window(w, world_rank);
}

static inline void win_post(struct window *w, MPI_Group group, int assertion) {
  MPI_Win_post(group, assertion, w->handle);
  if (group != MPI_GROUP_EMPTY) PMPI_Group_free(&group);
}

static inline void win_start(struct window *w, MPI_Group group, int assertion) {
  MPI_Win_start(group, assertion, w->handle);
  if (group != MPI_GROUP_EMPTY) PMPI_Group_free(&group);
}

static inline void win_test(struct window *w) {
  for (int flag = 0; !flag;) MPI_Win_test(w->handle, &flag);
}
