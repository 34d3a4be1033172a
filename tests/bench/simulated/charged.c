/* Computation in simulated time that does not depend on the machine simulated
 * on: a program compiled with -fsanitize-coverage=trace-pc counts its basic
 * blocks, and each call of MPI begins with a sleep of BLOCK_NS for each since
 * the last one. C programs call Charge by charged.h, Fortran ones by the
 * functions here, in place of SMPI's own, which would also leave no trace: they
 * call MPI past the runtime's wrappers. */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

#ifndef BLOCK_NS
#define BLOCK_NS 1
#endif

void Charge(void);
void __sanitizer_cov_trace_pc(void);

static long blocks;

void __sanitizer_cov_trace_pc(void) { ++blocks; }

void Charge(void) {
  const long ns = blocks * BLOCK_NS;
  const struct timespec time = {ns / 1000000000, ns % 1000000000};
  if (ns > 0) nanosleep(&time, NULL);
  blocks = 0;
}

typedef const MPI_Fint In; /* arguments of Fortran, by reference */

/* clang-format off */
#define FORTRAN(name, ...) \
  void name(__VA_ARGS__, MPI_Fint* error); \
  void name(__VA_ARGS__, MPI_Fint* error)
/* clang-format on */

#define TYPE(type) MPI_Type_f2c(*(type))
#define COMM(comm) MPI_Comm_f2c(*(comm))
#define OP(op) MPI_Op_f2c(*(op))

void mpi_init_(MPI_Fint* error);
void mpi_init_(MPI_Fint* error) {
  Charge();
  *error = MPI_Init(NULL, NULL);
}
void mpi_finalize_(MPI_Fint* error);
void mpi_finalize_(MPI_Fint* error) {
  Charge();
  *error = MPI_Finalize();
}
FORTRAN(mpi_abort_, In* comm, In* code) {
  *error = MPI_Abort(COMM(comm), *code);
}
FORTRAN(mpi_comm_rank_, In* comm, MPI_Fint* rank) {
  Charge();
  *error = MPI_Comm_rank(COMM(comm), rank);
}
FORTRAN(mpi_comm_size_, In* comm, MPI_Fint* size) {
  Charge();
  *error = MPI_Comm_size(COMM(comm), size);
}
FORTRAN(mpi_comm_dup_, In* comm, MPI_Fint* made) {
  MPI_Comm to;
  Charge();
  *error = MPI_Comm_dup(COMM(comm), &to);
  *made = MPI_Comm_c2f(to);
}
FORTRAN(mpi_comm_split_, In* comm, In* colour, In* key, MPI_Fint* made) {
  MPI_Comm to;
  Charge();
  *error = MPI_Comm_split(COMM(comm), *colour, *key, &to);
  *made = MPI_Comm_c2f(to);
}
FORTRAN(mpi_barrier_, In* comm) {
  Charge();
  *error = MPI_Barrier(COMM(comm));
}
FORTRAN(mpi_bcast_, void* data, In* count, In* type, In* root, In* comm) {
  Charge();
  *error = MPI_Bcast(data, *count, TYPE(type), *root, COMM(comm));
}
FORTRAN(mpi_reduce_, void* from, void* to, In* count, In* type, In* op,
        In* root, In* comm) {
  Charge();
  *error = MPI_Reduce(from, to, *count, TYPE(type), OP(op), *root, COMM(comm));
}
FORTRAN(mpi_allreduce_, void* from, void* to, In* count, In* type, In* op,
        In* comm) {
  Charge();
  *error = MPI_Allreduce(from, to, *count, TYPE(type), OP(op), COMM(comm));
}
FORTRAN(mpi_alltoall_, void* from, In* count, In* type, void* to, In* to_count,
        In* to_type, In* comm) {
  Charge();
  *error = MPI_Alltoall(from, *count, TYPE(type), to, *to_count, TYPE(to_type),
                        COMM(comm));
}
FORTRAN(mpi_send_, void* data, In* count, In* type, In* to, In* tag, In* comm) {
  Charge();
  *error = MPI_Send(data, *count, TYPE(type), *to, *tag, COMM(comm));
}
FORTRAN(mpi_recv_, void* data, In* count, In* type, In* from, In* tag, In* comm,
        MPI_Fint* status) {
  (void)status; /* that no caller reads */
  Charge();
  *error = MPI_Recv(data, *count, TYPE(type), *from, *tag, COMM(comm),
                    MPI_STATUS_IGNORE);
}

/* Requests by number; SMPI would keep all that ever were. */
enum { kMostRequests = 4096 };
static MPI_Request requests[kMostRequests];
static char taken[kMostRequests];

static MPI_Fint Keep(MPI_Request request) {
  int i = 1;
  while (i < kMostRequests && taken[i]) ++i;
  if (i == kMostRequests) abort();
  taken[i] = 1;
  requests[i] = request;
  return i;
}
FORTRAN(mpi_isend_, void* data, In* count, In* type, In* to, In* tag, In* comm,
        MPI_Fint* request) {
  MPI_Request made;
  Charge();
  *error = MPI_Isend(data, *count, TYPE(type), *to, *tag, COMM(comm), &made);
  *request = Keep(made);
}
FORTRAN(mpi_irecv_, void* data, In* count, In* type, In* from, In* tag,
        In* comm, MPI_Fint* request) {
  MPI_Request made;
  Charge();
  *error = MPI_Irecv(data, *count, TYPE(type), *from, *tag, COMM(comm), &made);
  *request = Keep(made);
}
FORTRAN(mpi_wait_, MPI_Fint* request, MPI_Fint* status) {
  (void)status;
  Charge();
  *error = MPI_Wait(&requests[*request], MPI_STATUS_IGNORE);
  taken[*request] = 0;
}
FORTRAN(mpi_waitall_, In* count, MPI_Fint* of, MPI_Fint* statuses) {
  MPI_Request all[kMostRequests];
  (void)statuses;
  Charge();
  for (int i = 0; i < *count; ++i) all[i] = requests[of[i]];
  *error = MPI_Waitall(*count, all, MPI_STATUSES_IGNORE);
  for (int i = 0; i < *count; ++i) taken[of[i]] = 0;
}
