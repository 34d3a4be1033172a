// Collectives in which every rank's share has the same size.
#include "replay_engine/backend_mpi/families.h"

namespace ranksight::replay_engine {

using reduction::Param;

int Gather(Arguments& a, MPI_Request* request) {
  const Payload s = a.Make(Side::kSend, Area::kSend);
  const Payload r = a.Make(Side::kReceive, Area::kReceive, a.comm_size());
  const void* input = a.InPlace() ? MPI_IN_PLACE : s.buffer;
  const int root = a.Peer(Param::kRoot);
  if (!a.ok()) return MPI_SUCCESS;
  return request ? MPI_Igather(input, s.count, s.type, r.buffer, r.count,
                               r.type, root, a.comm(), request)
                 : MPI_Gather(input, s.count, s.type, r.buffer, r.count, r.type,
                              root, a.comm());
}

int Scatter(Arguments& a, MPI_Request* request) {
  const Payload s = a.Make(Side::kSend, Area::kSend, a.comm_size());
  const Payload r = a.Make(Side::kReceive, Area::kReceive);
  void* output = a.InPlace() ? MPI_IN_PLACE : r.buffer;
  const int root = a.Peer(Param::kRoot);
  if (!a.ok()) return MPI_SUCCESS;
  return request ? MPI_Iscatter(s.buffer, s.count, s.type, output, r.count,
                                r.type, root, a.comm(), request)
                 : MPI_Scatter(s.buffer, s.count, s.type, output, r.count,
                               r.type, root, a.comm());
}

int Allgather(Arguments& a, MPI_Request* request) {
  const Payload s = a.Make(Side::kSend, Area::kSend);
  const Payload r = a.Make(Side::kReceive, Area::kReceive, a.comm_size());
  const void* input = a.InPlace() ? MPI_IN_PLACE : s.buffer;
  if (!a.ok()) return MPI_SUCCESS;
  return request ? MPI_Iallgather(input, s.count, s.type, r.buffer, r.count,
                                  r.type, a.comm(), request)
                 : MPI_Allgather(input, s.count, s.type, r.buffer, r.count,
                                 r.type, a.comm());
}

int Alltoall(Arguments& a, MPI_Request* request) {
  const Payload s = a.Make(Side::kSend, Area::kSend, a.comm_size());
  const Payload r = a.Make(Side::kReceive, Area::kReceive, a.comm_size());
  const void* input = a.InPlace() ? MPI_IN_PLACE : s.buffer;
  if (!a.ok()) return MPI_SUCCESS;
  return request ? MPI_Ialltoall(input, s.count, s.type, r.buffer, r.count,
                                 r.type, a.comm(), request)
                 : MPI_Alltoall(input, s.count, s.type, r.buffer, r.count,
                                r.type, a.comm());
}

}  // namespace ranksight::replay_engine
