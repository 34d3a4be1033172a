// For NAS benchmarks in simulated time: Fortran entries that call the C ones
// (SMPI's own would pass the runtime by), and computation, WORK_NS / ranks
// nanoseconds before each call but the first, in place of the program's own.
#include <mpi.h>
#include <stdlib.h>

void smpi_execute_benched(double seconds);

static void Work(void) {
  static double ns = -1;  // every rank has a copy of its globals
  static int ranks = 1;
  if (ns < 0) {
    ns = getenv("WORK_NS") ? atof(getenv("WORK_NS")) : 0;
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  }
  if (ns > 0) smpi_execute_benched(ns / ranks * 1e-9);
}

#define COMM(c) MPI_Comm_f2c(*(c))
#define TYPE(t) MPI_Type_f2c(*(t))

void mpi_init_(int* e) { *e = MPI_Init(NULL, NULL); }
void mpi_finalize_(int* e) { *e = MPI_Finalize(); }
void mpi_comm_rank_(int* c, int* r, int* e) { *e = MPI_Comm_rank(COMM(c), r); }
void mpi_comm_size_(int* c, int* n, int* e) { *e = MPI_Comm_size(COMM(c), n); }
void mpi_abort_(int* c, int* code, int* e) { *e = MPI_Abort(COMM(c), *code); }
double mpi_wtime_(void) { return PMPI_Wtime(); }
void mpi_comm_split_(int* c, int* color, int* key, int* out, int* e) {
  MPI_Comm made;
  Work();
  *e = MPI_Comm_split(COMM(c), *color, *key, &made);
  *out = MPI_Comm_c2f(made);
}
void mpi_comm_dup_(int* c, int* out, int* e) {
  MPI_Comm made;
  Work();
  *e = MPI_Comm_dup(COMM(c), &made);
  *out = MPI_Comm_c2f(made);
}
void mpi_barrier_(int* c, int* e) {
  Work();
  *e = MPI_Barrier(COMM(c));
}
void mpi_bcast_(void* b, int* n, int* t, int* root, int* c, int* e) {
  Work();
  *e = MPI_Bcast(b, *n, TYPE(t), *root, COMM(c));
}
void mpi_reduce_(void* s, void* r, int* n, int* t, int* op, int* root, int* c,
                 int* e) {
  Work();
  *e = MPI_Reduce(s, r, *n, TYPE(t), MPI_Op_f2c(*op), *root, COMM(c));
}
void mpi_allreduce_(void* s, void* r, int* n, int* t, int* op, int* c, int* e) {
  Work();
  *e = MPI_Allreduce(s, r, *n, TYPE(t), MPI_Op_f2c(*op), COMM(c));
}
void mpi_alltoall_(void* s, int* n, int* t, void* r, int* rn, int* rt, int* c,
                   int* e) {
  Work();
  *e = MPI_Alltoall(s, *n, TYPE(t), r, *rn, TYPE(rt), COMM(c));
}
void mpi_send_(void* b, int* n, int* t, int* to, int* tag, int* c, int* e) {
  Work();
  *e = MPI_Send(b, *n, TYPE(t), *to, *tag, COMM(c));
}
void mpi_recv_(void* b, int* n, int* t, int* from, int* tag, int* c, int* s,
               int* e) {
  (void)s;
  Work();
  *e = MPI_Recv(b, *n, TYPE(t), *from, *tag, COMM(c), MPI_STATUS_IGNORE);
}
void mpi_isend_(void* b, int* n, int* t, int* to, int* tag, int* c, int* q,
                int* e) {
  MPI_Request made;
  Work();
  *e = MPI_Isend(b, *n, TYPE(t), *to, *tag, COMM(c), &made);
  *q = MPI_Request_c2f(made);
}
void mpi_irecv_(void* b, int* n, int* t, int* from, int* tag, int* c, int* q,
                int* e) {
  MPI_Request made;
  Work();
  *e = MPI_Irecv(b, *n, TYPE(t), *from, *tag, COMM(c), &made);
  *q = MPI_Request_c2f(made);
}
void mpi_wait_(int* q, int* s, int* e) {
  MPI_Request one = MPI_Request_f2c(*q);
  (void)s;
  Work();
  *e = MPI_Wait(&one, MPI_STATUS_IGNORE);
  *q = MPI_Request_c2f(one);
}
void mpi_waitall_(int* n, int* q, int* s, int* e) {
  MPI_Request all[64];
  (void)s;
  Work();
  for (int i = 0; i < *n; ++i) all[i] = MPI_Request_f2c(q[i]);
  *e = MPI_Waitall(*n, all, MPI_STATUSES_IGNORE);
  for (int i = 0; i < *n; ++i) q[i] = MPI_Request_c2f(all[i]);
}
