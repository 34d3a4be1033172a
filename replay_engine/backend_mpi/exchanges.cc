// Collectives in which every rank's share has the same size.
#include "replay_engine/backend_mpi/families.h"
#include "replay_engine/backend_mpi/messages.h"

namespace ranksight::replay_engine {

using reduction::Param;

int Gather(Arguments& a, Form& form) {
  const Payload s = a.Make(Side::kSend, Area::kSend);
  const Payload r = a.Make(Side::kReceive, Area::kReceive, a.comm_size());
  const void* input = a.InPlace() ? MPI_IN_PLACE : s.buffer;
  const int root = a.Peer(Param::kRoot);
  if (!a.ok()) return MPI_SUCCESS;
  if (const MPI_Comm x = ExchangeComm(a, form); x != MPI_COMM_NULL) {
    return GatherByMessages(x, s, SharesOf(r), root, a.InPlace());
  }
  return form(MPI_Gather, MPI_Igather, RANKSIGHT_MPI4(MPI_Gather_init), input,
              s.count, s.type, r.buffer, r.count, r.type, root, a.comm());
}

int Scatter(Arguments& a, Form& form) {
  const Payload s = a.Make(Side::kSend, Area::kSend, a.comm_size());
  const Payload r = a.Make(Side::kReceive, Area::kReceive);
  void* output = a.InPlace() ? MPI_IN_PLACE : r.buffer;
  const int root = a.Peer(Param::kRoot);
  if (!a.ok()) return MPI_SUCCESS;
  if (const MPI_Comm x = ExchangeComm(a, form); x != MPI_COMM_NULL) {
    return ScatterByMessages(x, SharesOf(s), r, root, a.InPlace());
  }
  return form(MPI_Scatter, MPI_Iscatter, RANKSIGHT_MPI4(MPI_Scatter_init),
              s.buffer, s.count, s.type, output, r.count, r.type, root,
              a.comm());
}

int Allgather(Arguments& a, Form& form) {
  const Payload s = a.Make(Side::kSend, Area::kSend);
  const Payload r = a.Make(Side::kReceive, Area::kReceive, a.comm_size());
  const void* input = a.InPlace() ? MPI_IN_PLACE : s.buffer;
  if (!a.ok()) return MPI_SUCCESS;
  if (const MPI_Comm x = ExchangeComm(a, form); x != MPI_COMM_NULL) {
    const Payload own = a.InPlace() ? a.Make(Side::kReceive, Area::kSend) : s;
    return a.ok()
               ? AllgatherByMessages(x, SharesOf(own), SharesOf(r), a.InPlace())
               : MPI_SUCCESS;
  }
  return form(MPI_Allgather, MPI_Iallgather, RANKSIGHT_MPI4(MPI_Allgather_init),
              input, s.count, s.type, r.buffer, r.count, r.type, a.comm());
}

int Alltoall(Arguments& a, Form& form) {
  const Payload s = a.Make(Side::kSend, Area::kSend, a.comm_size());
  const Payload r = a.Make(Side::kReceive, Area::kReceive, a.comm_size());
  const void* input = a.InPlace() ? MPI_IN_PLACE : s.buffer;
  if (!a.ok()) return MPI_SUCCESS;
  if (const MPI_Comm x = ExchangeComm(a, form); x != MPI_COMM_NULL) {
    // In place the receive side says how much; messages need two buffers.
    const Payload own =
        a.InPlace() ? a.Make(Side::kReceive, Area::kSend, a.comm_size()) : s;
    const Shares from = SharesOf(own), to = SharesOf(r);
    return a.ok() ? ExchangeByMessages(x, &from, &to) : MPI_SUCCESS;
  }
  return form(MPI_Alltoall, MPI_Ialltoall, RANKSIGHT_MPI4(MPI_Alltoall_init),
              input, s.count, s.type, r.buffer, r.count, r.type, a.comm());
}

}  // namespace ranksight::replay_engine
