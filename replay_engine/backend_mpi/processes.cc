// Partitioned communication, generalised requests and sessions.
#include <algorithm>

#include "replay_engine/backend_mpi/families.h"
#include "replay_engine/backend_mpi/mpi_status.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Call;
using reduction::Param;
using reduction::Status;

#include "reduction/api/own_request.inc"

}  // namespace

Status PerformPartitioned(const Operation& operation, MpiState& state) {
#if MPI_VERSION >= 4
  Arguments a(operation, state);
  const bool sends = a.call() == Call::MPI_Psend_init_;
  const int partitions = a.Int(Param::kPartitions);
  const Payload p = a.Make(Side::kSend, sends ? Area::kSend : Area::kReceive,
                           std::max(0, partitions));
  const int peer = a.Peer(Param::kPeer), tag = a.Tag(Param::kTag);
  if (!a.ok()) return a.status();
  MPI_Request request = MPI_REQUEST_NULL;
  const int code =
      sends ? MPI_Psend_init(p.buffer, partitions, p.count, p.type, peer, tag,
                             a.comm(), MPI_INFO_NULL, &request)
            : MPI_Precv_init(p.buffer, partitions, p.count, p.type, peer, tag,
                             a.comm(), MPI_INFO_NULL, &request);
  if (code == MPI_SUCCESS) a.MadeRequest(request);
  return FromMpi(code);
#else
  (void)state;
  return NotAvailable(operation.event->call());
#endif
}

Status PerformOnProcess(const Operation& operation, MpiState& state) {
  const Call call = operation.event->call();
  Arguments a(operation, state);
  if (call == Call::MPI_Grequest_start_) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = MPI_Grequest_start(no_status, nothing_to_free,
                                        nothing_to_cancel, nullptr, &request);
    if (code == MPI_SUCCESS) a.MadeRequest(request);
    return FromMpi(code);
  }
#if MPI_VERSION >= 4
  if (call == Call::MPI_Session_init_) {
    return FromMpi(
        MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN,
                         &state.sessions.Add(operation.new_object).handle));
  }
  if (call == Call::MPI_Session_finalize_) {
    const int64_t number = operation.event->Get(Param::kSession);
    reduction::Result<SessionEntry*> session = state.sessions.Find(number);
    if (!session.ok()) return session.status();
    const int code = MPI_Session_finalize(&(*session)->handle);
    if (code == MPI_SUCCESS) state.sessions.Remove(number);
    return FromMpi(code);
  }
#endif
  return NotAvailable(call);
}

}  // namespace ranksight::replay_engine
