// The least a timing wrapper can cost: two readings of the time-stamp counter
// and two additions around each call. Preloaded, or with FLOOR_PREFIX beside a
// program's own calls.
#include <mpi.h>
#include <stdint.h>
#include <x86intrin.h>

#if !defined(FLOOR_PREFIX)
#define FLOOR_PREFIX MPI_
#endif
#define JOINED(prefix, name) prefix##name
#define JOIN(prefix, name) JOINED(prefix, name)
#define FLOOR_NAME(name) JOIN(FLOOR_PREFIX, name)

#define OF_THREAD \
  static _Thread_local __attribute__((tls_model("initial-exec")))
OF_THREAD volatile uint64_t total_ticks;
OF_THREAD uint64_t last_tick;

#define TIMED(call)                 \
  const uint64_t start = __rdtsc(); \
  const int result = call;          \
  const uint64_t end = __rdtsc();   \
  total_ticks += end - start;       \
  total_ticks += start - last_tick; \
  last_tick = end;                  \
  return result

int FLOOR_NAME(Irecv)(void* buffer, int count, MPI_Datatype type, int peer,
                      int tag, MPI_Comm comm, MPI_Request* request) {
  TIMED(PMPI_Irecv(buffer, count, type, peer, tag, comm, request));
}

int FLOOR_NAME(Send)(const void* buffer, int count, MPI_Datatype type, int peer,
                     int tag, MPI_Comm comm) {
  TIMED(PMPI_Send(buffer, count, type, peer, tag, comm));
}

int FLOOR_NAME(Wait)(MPI_Request* request, MPI_Status* status) {
  TIMED(PMPI_Wait(request, status));
}

int FLOOR_NAME(Test)(MPI_Request* request, int* flag, MPI_Status* status) {
  TIMED(PMPI_Test(request, flag, status));
}

int FLOOR_NAME(Waitany)(int count, MPI_Request requests[], int* index,
                        MPI_Status* status) {
  TIMED(PMPI_Waitany(count, requests, index, status));
}

int FLOOR_NAME(Isend)(const void* buffer, int count, MPI_Datatype type,
                      int peer, int tag, MPI_Comm comm, MPI_Request* request) {
  TIMED(PMPI_Isend(buffer, count, type, peer, tag, comm, request));
}

int FLOOR_NAME(Recv)(void* buffer, int count, MPI_Datatype type, int peer,
                     int tag, MPI_Comm comm, MPI_Status* status) {
  TIMED(PMPI_Recv(buffer, count, type, peer, tag, comm, status));
}

int FLOOR_NAME(Probe)(int peer, int tag, MPI_Comm comm, MPI_Status* status) {
  TIMED(PMPI_Probe(peer, tag, comm, status));
}

int FLOOR_NAME(Barrier)(MPI_Comm comm) { TIMED(PMPI_Barrier(comm)); }

int FLOOR_NAME(Iprobe)(int peer, int tag, MPI_Comm comm, int* flag,
                       MPI_Status* status) {
  TIMED(PMPI_Iprobe(peer, tag, comm, flag, status));
}

int FLOOR_NAME(Sendrecv)(const void* sent, int count, MPI_Datatype type,
                         int peer, int tag, void* got, int recv_count,
                         MPI_Datatype recv_type, int recv_peer, int recv_tag,
                         MPI_Comm comm, MPI_Status* status) {
  TIMED(PMPI_Sendrecv(sent, count, type, peer, tag, got, recv_count, recv_type,
                      recv_peer, recv_tag, comm, status));
}
