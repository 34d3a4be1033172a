/* ---- Book-keeping of one rank, on objects made for each call ------------ */
#include "reduction/api/stand_ins.inc"

/* A reduction of the user's own, which computes nothing here. */
static inline MPI_Op user_op(void) {
  static MPI_Op op = MPI_OP_NULL;
  if (op == MPI_OP_NULL) PMPI_Op_create(stand_in_operation, 1, &op);
  return op;
}

static inline void pack(int n, MPI_Datatype type, MPI_Comm c) {
  int size, place = 0;
  PMPI_Pack_size(n, type, c, &size);
  MPI_Pack(out, n, type, array((size_t)size), size, &place, c);
}

static inline void unpack(int n, MPI_Datatype type, MPI_Comm c) {
  int size, place = 0;
  PMPI_Pack_size(n, type, c, &size);
  void *packed = array((size_t)size);
  memset(packed, 0, (size_t)size);
  MPI_Unpack(packed, size, &place, in, n, type, c);
}

/* Larger where messages are, never smaller. */
static inline void buffer_attach(number bytes) {
  double size = (double)bytes * (bytes_scale > 1 ? bytes_scale : 1);
  if (size > INT_MAX) stop("--bytes-scale: a buffer larger than an int counts");
  detach_own_buffer();
  attached = get_memory((size_t)size + 1);
  MPI_Buffer_attach(attached, (int)size);
}

static inline void buffer_detach(void) {
  void *memory;
  int size;
  MPI_Buffer_detach(&memory, &size);
  free(attached);
  attached = NULL;
}
