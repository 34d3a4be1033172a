// Sends, receives, probes; persistent requests and their starting.
#include "log.h"

static void LogMessage(const char* call, MPI_Comm comm, int peer, int tag,
                       int count, MPI_Datatype type) {
  LogBegin(call);
  LogComm(comm);
  LogPeer("peer", comm, peer);
  LogTag("tag", tag);
  LogBytes("bytes", count * SizeOf(type));
  LogEnd();
}

#define BLOCKING_SEND(call)                                                  \
  int MPI_##call(const void* buffer, int count, MPI_Datatype type, int peer, \
                 int tag, MPI_Comm comm) {                                   \
    int outer = LogEnter();                                                  \
    int error = PMPI_##call(buffer, count, type, peer, tag, comm);           \
    if (outer && !Refused(error))                                            \
      LogMessage("MPI_" #call, comm, peer, tag, count, type);                \
    LogLeave();                                                              \
    return error;                                                            \
  }

#define REQUEST_SEND(call)                                                   \
  int MPI_##call(const void* buffer, int count, MPI_Datatype type, int peer, \
                 int tag, MPI_Comm comm, MPI_Request* made) {                \
    int outer = LogEnter();                                                  \
    int error = PMPI_##call(buffer, count, type, peer, tag, comm, made);     \
    if (outer && !error)                                                     \
      LogMessage("MPI_" #call, comm, peer, tag, count, type);                \
    LogLeave();                                                              \
    return error;                                                            \
  }

#define REQUEST_RECEIVE(call)                                            \
  int MPI_##call(void* buffer, int count, MPI_Datatype type, int peer,   \
                 int tag, MPI_Comm comm, MPI_Request* made) {            \
    int outer = LogEnter();                                              \
    int error = PMPI_##call(buffer, count, type, peer, tag, comm, made); \
    if (outer && !error)                                                 \
      LogMessage("MPI_" #call, comm, peer, tag, count, type);            \
    LogLeave();                                                          \
    return error;                                                        \
  }

BLOCKING_SEND(Send)
BLOCKING_SEND(Bsend)
BLOCKING_SEND(Ssend)
BLOCKING_SEND(Rsend)
REQUEST_SEND(Isend)
REQUEST_SEND(Ibsend)
REQUEST_SEND(Issend)
REQUEST_SEND(Irsend)
REQUEST_SEND(Send_init)
REQUEST_SEND(Bsend_init)
REQUEST_SEND(Ssend_init)
REQUEST_SEND(Rsend_init)
REQUEST_RECEIVE(Irecv)
REQUEST_RECEIVE(Recv_init)

int MPI_Recv(void* buffer, int count, MPI_Datatype type, int peer, int tag,
             MPI_Comm comm, MPI_Status* status) {
  int outer = LogEnter();
  int error = PMPI_Recv(buffer, count, type, peer, tag, comm, status);
  if (outer && !Refused(error))
    LogMessage("MPI_Recv", comm, peer, tag, count, type);
  LogLeave();
  return error;
}

int MPI_Start(MPI_Request* request) {
  int outer = LogEnter();
  int error = PMPI_Start(request);
  if (outer) LogName("MPI_Start");
  LogLeave();
  return error;
}

int MPI_Startall(int count, MPI_Request requests[]) {
  int outer = LogEnter();
  int error = PMPI_Startall(count, requests);
  if (outer) LogName("MPI_Startall");
  LogLeave();
  return error;
}

struct Half {
  int peer, tag;
  long long bytes;
};

static void LogBothWays(const char* call, MPI_Comm comm, struct Half send,
                        struct Half receive) {
  LogBegin(call);
  LogComm(comm);
  LogPeer("peer", comm, send.peer);
  LogTag("tag", send.tag);
  LogBytes("bytes", send.bytes);
  LogPeer("rpeer", comm, receive.peer);
  LogTag("rtag", receive.tag);
  LogBytes("rbytes", receive.bytes);
  LogEnd();
}

#define SENDRECV(call, Last)                                                   \
  int MPI_##call(const void* out, int count, MPI_Datatype type, int peer,      \
                 int tag, void* in, int rcount, MPI_Datatype rtype, int rpeer, \
                 int rtag, MPI_Comm comm, Last* last) {                        \
    int outer = LogEnter();                                                    \
    int error = PMPI_##call(out, count, type, peer, tag, in, rcount, rtype,    \
                            rpeer, rtag, comm, last);                          \
    if (outer && !Refused(error)) {                                            \
      struct Half send = {peer, tag, count * SizeOf(type)};                    \
      struct Half receive = {rpeer, rtag, rcount * SizeOf(rtype)};             \
      LogBothWays("MPI_" #call, comm, send, receive);                          \
    }                                                                          \
    LogLeave();                                                                \
    return error;                                                              \
  }

#define SENDRECV_REPLACE(call, Last)                                          \
  int MPI_##call(void* buffer, int count, MPI_Datatype type, int peer,        \
                 int tag, int rpeer, int rtag, MPI_Comm comm, Last* last) {   \
    int outer = LogEnter();                                                   \
    int error =                                                               \
        PMPI_##call(buffer, count, type, peer, tag, rpeer, rtag, comm, last); \
    if (outer && !Refused(error)) {                                           \
      struct Half send = {peer, tag, count * SizeOf(type)};                   \
      struct Half receive = {rpeer, rtag, count * SizeOf(type)};              \
      LogBothWays("MPI_" #call, comm, send, receive);                         \
    }                                                                         \
    LogLeave();                                                               \
    return error;                                                             \
  }

SENDRECV(Sendrecv, MPI_Status)
SENDRECV_REPLACE(Sendrecv_replace, MPI_Status)
#if MPI_VERSION >= 4
SENDRECV(Isendrecv, MPI_Request)
SENDRECV_REPLACE(Isendrecv_replace, MPI_Request)
#endif

static void LogProbe(const char* call, MPI_Comm comm, int peer, int tag) {
  LogBegin(call);
  LogComm(comm);
  LogPeer("peer", comm, peer);
  LogTag("tag", tag);
  LogEnd();
}

int MPI_Probe(int peer, int tag, MPI_Comm comm, MPI_Status* status) {
  int outer = LogEnter();
  int error = PMPI_Probe(peer, tag, comm, status);
  if (outer) LogProbe("MPI_Probe", comm, peer, tag);
  LogLeave();
  return error;
}

int MPI_Iprobe(int peer, int tag, MPI_Comm comm, int* flag,
               MPI_Status* status) {
  int outer = LogEnter();
  int error = PMPI_Iprobe(peer, tag, comm, flag, status);
  if (outer && *flag) LogProbe("MPI_Iprobe", comm, peer, tag);
  LogLeave();
  return error;
}

int MPI_Mprobe(int peer, int tag, MPI_Comm comm, MPI_Message* message,
               MPI_Status* status) {
  int outer = LogEnter();
  int error = PMPI_Mprobe(peer, tag, comm, message, status);
  if (outer) LogProbe("MPI_Mprobe", comm, peer, tag);
  LogLeave();
  return error;
}

int MPI_Improbe(int peer, int tag, MPI_Comm comm, int* flag,
                MPI_Message* message, MPI_Status* status) {
  int outer = LogEnter();
  int error = PMPI_Improbe(peer, tag, comm, flag, message, status);
  if (outer && *flag) LogProbe("MPI_Improbe", comm, peer, tag);
  LogLeave();
  return error;
}

static void LogMatched(const char* call, int count, MPI_Datatype type) {
  LogBegin(call);
  LogBytes("bytes", count * SizeOf(type));
  LogEnd();
}

int MPI_Mrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message,
              MPI_Status* status) {
  int outer = LogEnter();
  int error = PMPI_Mrecv(buffer, count, type, message, status);
  if (outer) LogMatched("MPI_Mrecv", count, type);
  LogLeave();
  return error;
}

int MPI_Imrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message,
               MPI_Request* made) {
  int outer = LogEnter();
  int error = PMPI_Imrecv(buffer, count, type, message, made);
  if (outer) LogMatched("MPI_Imrecv", count, type);
  LogLeave();
  return error;
}

#if MPI_VERSION >= 4
#define PARTITIONED(call, Buffer)                                             \
  int MPI_##call(Buffer* buffer, int parts, MPI_Count count,                  \
                 MPI_Datatype type, int peer, int tag, MPI_Comm comm,         \
                 MPI_Info info, MPI_Request* made) {                          \
    int outer = LogEnter();                                                   \
    int error =                                                               \
        PMPI_##call(buffer, parts, count, type, peer, tag, comm, info, made); \
    if (outer && !error)                                                      \
      LogMessage("MPI_" #call, comm, peer, tag, parts* count, type);          \
    LogLeave();                                                               \
    return error;                                                             \
  }
PARTITIONED(Psend_init, const void)
PARTITIONED(Precv_init, void)

int MPI_Pready(int partition, MPI_Request request) {
  int outer = LogEnter();
  int error = PMPI_Pready(partition, request);
  if (outer) LogName("MPI_Pready");
  LogLeave();
  return error;
}

int MPI_Pready_range(int low, int high, MPI_Request request) {
  int outer = LogEnter();
  int error = PMPI_Pready_range(low, high, request);
  if (outer) LogName("MPI_Pready_range");
  LogLeave();
  return error;
}

#ifdef MPI_ABI_VERSION
#define PARTITIONS const int*  // as the standard has it
#else
#define PARTITIONS int*
#endif
int MPI_Pready_list(int n, PARTITIONS list, MPI_Request request) {
  int outer = LogEnter();
  int error = PMPI_Pready_list(n, list, request);
  if (outer) LogName("MPI_Pready_list");
  LogLeave();
  return error;
}

int MPI_Parrived(MPI_Request request, int partition, int* flag) {
  int outer = LogEnter();
  int error = PMPI_Parrived(request, partition, flag);
  if (outer && *flag) LogName("MPI_Parrived");
  LogLeave();
  return error;
}
#endif
