#include "replay_engine/backend_mpi/families.h"
#include "replay_engine/backend_mpi/mpi_status.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Call;
using reduction::Param;
using reduction::Status;

using SendFunction = int (*)(const void*, int, MPI_Datatype, int, int,
                             MPI_Comm);
using StartFunction = int (*)(const void*, int, MPI_Datatype, int, int,
                              MPI_Comm, MPI_Request*);

SendFunction BlockingSend(Call call) {
  switch (call) {
    case Call::MPI_Send_:
      return &MPI_Send;
    case Call::MPI_Bsend_:
      return &MPI_Bsend;
    case Call::MPI_Ssend_:
      return &MPI_Ssend;
    case Call::MPI_Rsend_:
      return &MPI_Rsend;
    default:
      return nullptr;
  }
}

StartFunction RequestSend(Call call) {
  switch (call) {
    case Call::MPI_Isend_:
      return &MPI_Isend;
    case Call::MPI_Ibsend_:
      return &MPI_Ibsend;
    case Call::MPI_Issend_:
      return &MPI_Issend;
    case Call::MPI_Irsend_:
      return &MPI_Irsend;
    case Call::MPI_Send_init_:
      return &MPI_Send_init;
    case Call::MPI_Bsend_init_:
      return &MPI_Bsend_init;
    case Call::MPI_Ssend_init_:
      return &MPI_Ssend_init;
    case Call::MPI_Rsend_init_:
      return &MPI_Rsend_init;
    default:
      return nullptr;
  }
}

// MPI_Buffer_attach is not in the trace: a large buffer stands in for
// whatever the program attached. Untouched pages cost nothing.
void AttachBsendBuffer(MpiState& state) {
  constexpr size_t kLargest = size_t{256} << 20;
  constexpr size_t kSmallest = size_t{1} << 20;
  if (state.bsend_buffer != nullptr) return;
  for (size_t size = kLargest; size >= kSmallest; size /= 2) {
    state.bsend_buffer.reset(new (std::nothrow) char[size]);
    if (state.bsend_buffer == nullptr) continue;
    PMPI_Buffer_attach(state.bsend_buffer.get(), static_cast<int>(size));
    return;
  }
}

bool IsBuffered(Call call) {
  return call == Call::MPI_Bsend_ || call == Call::MPI_Ibsend_ ||
         call == Call::MPI_Bsend_init_;
}

Status Send(Arguments& a, MpiState& state) {
  const Payload p = a.Make(Side::kSend, Area::kSend);
  const int peer = a.Peer(Param::kPeer);
  const int tag = a.Tag(Param::kTag);
  if (!a.ok()) return a.status();
  if (IsBuffered(a.call())) AttachBsendBuffer(state);
  if (const SendFunction send = BlockingSend(a.call())) {
    return FromMpi(send(p.buffer, p.count, p.type, peer, tag, a.comm()));
  }
  MPI_Request request = MPI_REQUEST_NULL;
  const StartFunction start = RequestSend(a.call());
  const int code =
      start(p.buffer, p.count, p.type, peer, tag, a.comm(), &request);
  if (code == MPI_SUCCESS) a.MadeRequest(request);
  return FromMpi(code);
}

Status Receive(Arguments& a) {
  const Payload p = a.Make(Side::kSend, Area::kReceive);
  const int peer = a.Source();
  const int tag = a.SourceTag();
  if (!a.ok()) return a.status();
  if (a.call() == Call::MPI_Recv_) {
    return FromMpi(MPI_Recv(p.buffer, p.count, p.type, peer, tag, a.comm(),
                            MPI_STATUS_IGNORE));
  }
  MPI_Request request = MPI_REQUEST_NULL;
  const int code =
      a.call() == Call::MPI_Irecv_
          ? MPI_Irecv(p.buffer, p.count, p.type, peer, tag, a.comm(), &request)
          : MPI_Recv_init(p.buffer, p.count, p.type, peer, tag, a.comm(),
                          &request);
  if (code == MPI_SUCCESS) a.MadeRequest(request);
  return FromMpi(code);
}

Status SendReceive(Arguments& a) {
  const Payload s = a.Make(Side::kSend, Area::kSend);
  const Payload r = a.Make(Side::kReceive, Area::kReceive);
  const int to = a.Peer(Param::kPeer), from = a.Source();
  const int tag = a.Tag(Param::kTag), from_tag = a.SourceTag();
  if (!a.ok()) return a.status();
  if (a.call() == Call::MPI_Sendrecv_) {
    return FromMpi(MPI_Sendrecv(s.buffer, s.count, s.type, to, tag, r.buffer,
                                r.count, r.type, from, from_tag, a.comm(),
                                MPI_STATUS_IGNORE));
  }
#if MPI_VERSION >= 4
  MPI_Request request = MPI_REQUEST_NULL;
  const int code =
      MPI_Isendrecv(s.buffer, s.count, s.type, to, tag, r.buffer, r.count,
                    r.type, from, from_tag, a.comm(), &request);
  if (code == MPI_SUCCESS) a.MadeRequest(request);
  return FromMpi(code);
#else
  return NotAvailable(a.call());
#endif
}

Status SendReceiveReplace(Arguments& a) {
  const Payload p = a.Make(Side::kSend, Area::kReceive);
  const int to = a.Peer(Param::kPeer), from = a.Source();
  const int tag = a.Tag(Param::kTag), from_tag = a.SourceTag();
  if (!a.ok()) return a.status();
  if (a.call() == Call::MPI_Sendrecv_replace_) {
    return FromMpi(MPI_Sendrecv_replace(p.buffer, p.count, p.type, to, tag,
                                        from, from_tag, a.comm(),
                                        MPI_STATUS_IGNORE));
  }
#if MPI_VERSION >= 4
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = MPI_Isendrecv_replace(p.buffer, p.count, p.type, to, tag,
                                         from, from_tag, a.comm(), &request);
  if (code == MPI_SUCCESS) a.MadeRequest(request);
  return FromMpi(code);
#else
  return NotAvailable(a.call());
#endif
}

// Polling probes are repeated until they find what the program found.
Status Probe(Arguments& a, MpiState& state) {
  const int peer = a.Source();
  const int tag = a.SourceTag();
  if (!a.ok()) return a.status();
  int code = MPI_SUCCESS, found = 0;
  MPI_Message message = MPI_MESSAGE_NULL;
  switch (a.call()) {
    case Call::MPI_Probe_:
      return FromMpi(MPI_Probe(peer, tag, a.comm(), MPI_STATUS_IGNORE));
    case Call::MPI_Iprobe_:
      while (code == MPI_SUCCESS && !found) {
        code = MPI_Iprobe(peer, tag, a.comm(), &found, MPI_STATUS_IGNORE);
      }
      return FromMpi(code);
    case Call::MPI_Mprobe_:
      code = MPI_Mprobe(peer, tag, a.comm(), &message, MPI_STATUS_IGNORE);
      break;
    default:
      while (code == MPI_SUCCESS && !found) {
        code = MPI_Improbe(peer, tag, a.comm(), &found, &message,
                           MPI_STATUS_IGNORE);
      }
  }
  if (code == MPI_SUCCESS) state.messages.push_back(message);
  return FromMpi(code);
}

Status ReceiveMatched(Arguments& a, MpiState& state) {
  const Payload p = a.Make(Side::kSend, Area::kReceive);
  if (!a.ok()) return a.status();
  if (state.messages.empty()) {
    return Status::BadInput("no message was matched before");
  }
  // The trace does not say which probe it goes with: the oldest that is left.
  MPI_Message message = state.messages.front();
  state.messages.pop_front();
  if (a.call() == Call::MPI_Mrecv_) {
    return FromMpi(
        MPI_Mrecv(p.buffer, p.count, p.type, &message, MPI_STATUS_IGNORE));
  }
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = MPI_Imrecv(p.buffer, p.count, p.type, &message, &request);
  if (code == MPI_SUCCESS) a.MadeRequest(request);
  return FromMpi(code);
}

}  // namespace

Status PerformPointToPoint(const Operation& operation, MpiState& state) {
  Arguments a(operation, state);
  switch (a.call()) {
    case Call::MPI_Recv_:
    case Call::MPI_Irecv_:
    case Call::MPI_Recv_init_:
      return Receive(a);
    case Call::MPI_Sendrecv_:
    case Call::MPI_Isendrecv_:
      return SendReceive(a);
    case Call::MPI_Sendrecv_replace_:
    case Call::MPI_Isendrecv_replace_:
      return SendReceiveReplace(a);
    case Call::MPI_Probe_:
    case Call::MPI_Iprobe_:
    case Call::MPI_Mprobe_:
    case Call::MPI_Improbe_:
      return Probe(a, state);
    case Call::MPI_Mrecv_:
    case Call::MPI_Imrecv_:
      return ReceiveMatched(a, state);
    default:
      break;
  }
  if (BlockingSend(a.call()) == nullptr && RequestSend(a.call()) == nullptr) {
    return NotAvailable(a.call());
  }
  return Send(a, state);
}

}  // namespace ranksight::replay_engine
