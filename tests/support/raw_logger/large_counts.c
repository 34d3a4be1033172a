// Large-count forms: printed as the calls without _c. Only those that
// tests/apps/large_counts makes.
#include "log.h"

static long long Bytes(MPI_Count count, MPI_Datatype type) {
  MPI_Count size = 0;
  PMPI_Type_size_x(type, &size);
  return count * size;
}

static void LogMessage(const char* call, MPI_Comm comm, int peer, int tag,
                       MPI_Count count, MPI_Datatype type) {
  LogBegin(call);
  LogComm(comm);
  LogPeer("peer", comm, peer);
  LogTag("tag", tag);
  LogBytes("bytes", Bytes(count, type));
}

#define MESSAGE(call, parameters, arguments, peer)            \
  int MPI_##call##_c parameters {                             \
    int outer = LogEnter();                                   \
    if (outer) {                                              \
      LogMessage("MPI_" #call, comm, peer, tag, count, type); \
      LogEnd();                                               \
    }                                                         \
    int error = PMPI_##call##_c arguments;                    \
    LogLeave();                                               \
    return error;                                             \
  }

MESSAGE(Send,
        (const void* buffer, MPI_Count count, MPI_Datatype type, int to,
         int tag, MPI_Comm comm),
        (buffer, count, type, to, tag, comm), to)
MESSAGE(Recv,
        (void* buffer, MPI_Count count, MPI_Datatype type, int from, int tag,
         MPI_Comm comm, MPI_Status* status),
        (buffer, count, type, from, tag, comm, status), from)
MESSAGE(Isend,
        (const void* buffer, MPI_Count count, MPI_Datatype type, int to,
         int tag, MPI_Comm comm, MPI_Request* request),
        (buffer, count, type, to, tag, comm, request), to)
MESSAGE(Irecv,
        (void* buffer, MPI_Count count, MPI_Datatype type, int from, int tag,
         MPI_Comm comm, MPI_Request* request),
        (buffer, count, type, from, tag, comm, request), from)

int MPI_Sendrecv_c(const void* sent, MPI_Count count, MPI_Datatype type, int to,
                   int tag, void* got, MPI_Count got_count,
                   MPI_Datatype got_type, int from, int got_tag, MPI_Comm comm,
                   MPI_Status* status) {
  int outer = LogEnter();
  if (outer) {
    LogMessage("MPI_Sendrecv", comm, to, tag, count, type);
    LogPeer("rpeer", comm, from);
    LogTag("rtag", got_tag);
    LogBytes("rbytes", Bytes(got_count, got_type));
    LogEnd();
  }
  int error = PMPI_Sendrecv_c(sent, count, type, to, tag, got, got_count,
                              got_type, from, got_tag, comm, status);
  LogLeave();
  return error;
}

int MPI_Allreduce_c(const void* in, void* out, MPI_Count count,
                    MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  int outer = LogEnter();
  if (outer) {
    LogBegin("MPI_Allreduce");
    LogComm(comm);
    LogBytes("bytes", Bytes(count, type));
    LogEnd();
  }
  int error = PMPI_Allreduce_c(in, out, count, type, op, comm);
  LogLeave();
  return error;
}

int MPI_Bcast_c(void* buffer, MPI_Count count, MPI_Datatype type, int root,
                MPI_Comm comm) {
  int outer = LogEnter();
  if (outer) {
    LogBegin("MPI_Bcast");
    LogComm(comm);
    LogBytes("bytes", Bytes(count, type));
    LogRoot(comm, root);
    LogEnd();
  }
  int error = PMPI_Bcast_c(buffer, count, type, root, comm);
  LogLeave();
  return error;
}

#define MADE(call, parameters, arguments)  \
  int MPI_##call##_c parameters {          \
    int outer = LogEnter();                \
    int error = PMPI_##call##_c arguments; \
    if (outer) LogName("MPI_" #call);      \
    LogLeave();                            \
    return error;                          \
  }

MADE(Type_contiguous, (MPI_Count n, MPI_Datatype of, MPI_Datatype* made),
     (n, of, made))
MADE(Type_vector,
     (MPI_Count n, MPI_Count length, MPI_Count stride, MPI_Datatype of,
      MPI_Datatype* made),
     (n, length, stride, of, made))
MADE(Type_indexed,
     (MPI_Count n, const MPI_Count lengths[], const MPI_Count places[],
      MPI_Datatype of, MPI_Datatype* made),
     (n, lengths, places, of, made))
