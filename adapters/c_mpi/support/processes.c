/* ---- Partitioned communication ------------------------------------------ */
#include "reduction/api/partitions.inc"

#ifndef PARTITIONS
#define PARTITIONS 1 /* into how many parts any rank cuts a message */
#endif
static const int64_t partition_counts[] = {PARTITIONS};

/* Elements of each part, with the bytes scaled; makes room for all. */
static inline int part_elements(char **buffer, int partitions, number count,
                                MPI_Datatype type) {
  int64_t n =
      scaled_partition(count, partitions, bytes_scale, partition_counts,
                       sizeof partition_counts / sizeof *partition_counts);
  MPI_Aint lower, extent;
  if (n > INT_MAX) stop("--bytes-scale: more elements than an int counts");
  PMPI_Type_get_extent(type, &lower, &extent);
  make_room(buffer, (size_t)partitions * (size_t)n * (size_t)extent +
                        reach_beyond(type, extent));
  return (int)n;
}

#if MPI_VERSION >= 4
static inline void psend_init(int partitions, number count, MPI_Datatype type,
                              int peer, int with_tag, MPI_Comm c,
                              MPI_Request *q) {
  int n = part_elements(&out, partitions, count, type);
  MPI_Psend_init(out, partitions, n, type, peer, with_tag, c, MPI_INFO_NULL, q);
}

static inline void precv_init(int partitions, number count, MPI_Datatype type,
                              int peer, int with_tag, MPI_Comm c,
                              MPI_Request *q) {
  int n = part_elements(&in, partitions, count, type);
  MPI_Precv_init(in, partitions, n, type, peer, with_tag, c, MPI_INFO_NULL, q);
}

static inline void parrived(MPI_Request *r, int partition) {
  for (int flag = 0; !flag;) MPI_Parrived(*r, partition, &flag);
}

/* ---- Sessions: numbered as this rank makes them ------------------------- */
static MPI_Session *sessions;
static number sessions_made, sessions_room;

static inline MPI_Session *new_session(void) {
  if (sessions_made == sessions_room) {
    sessions_room = 2 * sessions_room + 16;
    sessions = realloc(sessions, (size_t)sessions_room * sizeof *sessions);
    if (sessions == NULL) stop("out of memory");
  }
  return &sessions[sessions_made++];
}

static inline MPI_Session *session(number k) {
  if (k < 0 || k >= sessions_made) stop("uses a session that was never made");
  return &sessions[k];
}
#endif

/* ---- Requests of the program's own -------------------------------------- */
#include "reduction/api/own_request.inc"

static inline void grequest_start(MPI_Request *r) {
  MPI_Grequest_start(no_status, nothing_to_free, nothing_to_cancel, NULL, r);
}
