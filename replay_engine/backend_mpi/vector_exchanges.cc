// Collectives with a count for each rank.
#include "replay_engine/backend_mpi/families.h"
#include "replay_engine/backend_mpi/messages.h"

namespace ranksight::replay_engine {

using reduction::Param;

namespace {

// In place as much is sent as received, and messages need two buffers.
VectorPayload ReceivedAgain(Arguments& a) {
  return a.MakeVector(Side::kReceive, Area::kSend, a.comm_size());
}

int TradeVectors(MPI_Comm comm, Arguments& a, const VectorPayload& sent,
                 const VectorPayload& received) {
  const Shares from = SharesOf(a.InPlace() ? ReceivedAgain(a) : sent);
  const Shares to = SharesOf(received);
  return a.ok() ? ExchangeByMessages(comm, &from, &to) : MPI_SUCCESS;
}

}  // namespace

int Gatherv(Arguments& a, Form& form) {
  const Payload s = a.Make(Side::kSend, Area::kSend);
  const VectorPayload r =
      a.MakeVector(Side::kReceive, Area::kReceive, a.comm_size());
  const void* input = a.InPlace() ? MPI_IN_PLACE : s.buffer;
  const int root = a.Peer(Param::kRoot);
  if (!a.ok()) return MPI_SUCCESS;
  if (const MPI_Comm x = ExchangeComm(a, form); x != MPI_COMM_NULL) {
    return GatherByMessages(x, s, SharesOf(r), root, a.InPlace());
  }
  return form(MPI_Gatherv, MPI_Igatherv, RANKSIGHT_MPI4(MPI_Gatherv_init),
              input, s.count, s.type, r.buffer, r.counts, r.places, r.type,
              root, a.comm());
}

int Scatterv(Arguments& a, Form& form) {
  const VectorPayload s = a.MakeVector(Side::kSend, Area::kSend, a.comm_size());
  const Payload r = a.Make(Side::kReceive, Area::kReceive);
  void* output = a.InPlace() ? MPI_IN_PLACE : r.buffer;
  const int root = a.Peer(Param::kRoot);
  if (!a.ok()) return MPI_SUCCESS;
  if (const MPI_Comm x = ExchangeComm(a, form); x != MPI_COMM_NULL) {
    return ScatterByMessages(x, SharesOf(s), r, root, a.InPlace());
  }
  return form(MPI_Scatterv, MPI_Iscatterv, RANKSIGHT_MPI4(MPI_Scatterv_init),
              s.buffer, s.counts, s.places, s.type, output, r.count, r.type,
              root, a.comm());
}

int Allgatherv(Arguments& a, Form& form) {
  const Payload s = a.Make(Side::kSend, Area::kSend);
  const VectorPayload r =
      a.MakeVector(Side::kReceive, Area::kReceive, a.comm_size());
  const void* input = a.InPlace() ? MPI_IN_PLACE : s.buffer;
  if (!a.ok()) return MPI_SUCCESS;
  if (const MPI_Comm x = ExchangeComm(a, form); x != MPI_COMM_NULL) {
    const Shares own = a.InPlace() ? SharesOf(ReceivedAgain(a)) : SharesOf(s);
    return a.ok() ? AllgatherByMessages(x, own, SharesOf(r), a.InPlace())
                  : MPI_SUCCESS;
  }
  return form(MPI_Allgatherv, MPI_Iallgatherv,
              RANKSIGHT_MPI4(MPI_Allgatherv_init), input, s.count, s.type,
              r.buffer, r.counts, r.places, r.type, a.comm());
}

int Alltoallv(Arguments& a, Form& form) {
  const VectorPayload s = a.MakeVector(Side::kSend, Area::kSend, a.comm_size());
  const VectorPayload r =
      a.MakeVector(Side::kReceive, Area::kReceive, a.comm_size());
  const void* input = a.InPlace() ? MPI_IN_PLACE : s.buffer;
  if (!a.ok()) return MPI_SUCCESS;
  if (const MPI_Comm x = ExchangeComm(a, form); x != MPI_COMM_NULL) {
    return TradeVectors(x, a, s, r);
  }
  return form(MPI_Alltoallv, MPI_Ialltoallv, RANKSIGHT_MPI4(MPI_Alltoallv_init),
              input, s.counts, s.places, s.type, r.buffer, r.counts, r.places,
              r.type, a.comm());
}

int Alltoallw(Arguments& a, Form& form) {
  const VectorPayload s = a.MakeVector(Side::kSend, Area::kSend, a.comm_size());
  const VectorPayload r =
      a.MakeVector(Side::kReceive, Area::kReceive, a.comm_size());
  const void* input = a.InPlace() ? MPI_IN_PLACE : s.buffer;
  if (!a.ok()) return MPI_SUCCESS;
  if (const MPI_Comm x = ExchangeComm(a, form); x != MPI_COMM_NULL) {
    return TradeVectors(x, a, s, r);
  }
  return form(MPI_Alltoallw, MPI_Ialltoallw, RANKSIGHT_MPI4(MPI_Alltoallw_init),
              input, s.counts, s.places, s.types, r.buffer, r.counts, r.places,
              r.types, a.comm());
}

}  // namespace ranksight::replay_engine
