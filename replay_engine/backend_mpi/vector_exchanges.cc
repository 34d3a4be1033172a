// Collectives with a count for each rank.
#include "replay_engine/backend_mpi/families.h"

namespace ranksight::replay_engine {

using reduction::Param;

int Gatherv(Arguments& a, MPI_Request* request) {
  const Payload s = a.Make(Side::kSend, Area::kSend);
  const VectorPayload r = a.MakeVector(Side::kReceive, Area::kReceive);
  const void* input = a.InPlace() ? MPI_IN_PLACE : s.buffer;
  const int root = a.Peer(Param::kRoot);
  if (!a.ok()) return MPI_SUCCESS;
  return request ? MPI_Igatherv(input, s.count, s.type, r.buffer, r.counts,
                                r.places, r.type, root, a.comm(), request)
                 : MPI_Gatherv(input, s.count, s.type, r.buffer, r.counts,
                               r.places, r.type, root, a.comm());
}

int Scatterv(Arguments& a, MPI_Request* request) {
  const VectorPayload s = a.MakeVector(Side::kSend, Area::kSend);
  const Payload r = a.Make(Side::kReceive, Area::kReceive);
  void* output = a.InPlace() ? MPI_IN_PLACE : r.buffer;
  const int root = a.Peer(Param::kRoot);
  if (!a.ok()) return MPI_SUCCESS;
  return request ? MPI_Iscatterv(s.buffer, s.counts, s.places, s.type, output,
                                 r.count, r.type, root, a.comm(), request)
                 : MPI_Scatterv(s.buffer, s.counts, s.places, s.type, output,
                                r.count, r.type, root, a.comm());
}

int Allgatherv(Arguments& a, MPI_Request* request) {
  const Payload s = a.Make(Side::kSend, Area::kSend);
  const VectorPayload r = a.MakeVector(Side::kReceive, Area::kReceive);
  const void* input = a.InPlace() ? MPI_IN_PLACE : s.buffer;
  if (!a.ok()) return MPI_SUCCESS;
  return request ? MPI_Iallgatherv(input, s.count, s.type, r.buffer, r.counts,
                                   r.places, r.type, a.comm(), request)
                 : MPI_Allgatherv(input, s.count, s.type, r.buffer, r.counts,
                                  r.places, r.type, a.comm());
}

int Alltoallv(Arguments& a, MPI_Request* request) {
  const VectorPayload s = a.MakeVector(Side::kSend, Area::kSend);
  const VectorPayload r = a.MakeVector(Side::kReceive, Area::kReceive);
  const void* input = a.InPlace() ? MPI_IN_PLACE : s.buffer;
  if (!a.ok()) return MPI_SUCCESS;
  return request ? MPI_Ialltoallv(input, s.counts, s.places, s.type, r.buffer,
                                  r.counts, r.places, r.type, a.comm(), request)
                 : MPI_Alltoallv(input, s.counts, s.places, s.type, r.buffer,
                                 r.counts, r.places, r.type, a.comm());
}

int Alltoallw(Arguments& a, MPI_Request* request) {
  const VectorPayload s = a.MakeVector(Side::kSend, Area::kSend);
  const VectorPayload r = a.MakeVector(Side::kReceive, Area::kReceive);
  const void* input = a.InPlace() ? MPI_IN_PLACE : s.buffer;
  if (!a.ok()) return MPI_SUCCESS;
  return request
             ? MPI_Ialltoallw(input, s.counts, s.places, s.types, r.buffer,
                              r.counts, r.places, r.types, a.comm(), request)
             : MPI_Alltoallw(input, s.counts, s.places, s.types, r.buffer,
                             r.counts, r.places, r.types, a.comm());
}

}  // namespace ranksight::replay_engine
