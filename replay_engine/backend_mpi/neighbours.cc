// Collectives over the neighbours in a topology.
#include <vector>

#include "replay_engine/backend_mpi/families.h"

namespace ranksight::replay_engine {

int NeighborAllgather(Arguments& a, Form& form) {
  const Payload s = a.Make(Side::kSend, Area::kSend);
  const Payload r = a.Make(Side::kReceive, Area::kReceive, a.Sources());
  if (!a.ok()) return MPI_SUCCESS;
  return form(MPI_Neighbor_allgather, MPI_Ineighbor_allgather,
              RANKSIGHT_MPI4(MPI_Neighbor_allgather_init), s.buffer, s.count,
              s.type, r.buffer, r.count, r.type, a.comm());
}

int NeighborAllgatherv(Arguments& a, Form& form) {
  const Payload s = a.Make(Side::kSend, Area::kSend);
  const VectorPayload r =
      a.MakeVector(Side::kReceive, Area::kReceive, a.Sources());
  if (!a.ok()) return MPI_SUCCESS;
  return form(MPI_Neighbor_allgatherv, MPI_Ineighbor_allgatherv,
              RANKSIGHT_MPI4(MPI_Neighbor_allgatherv_init), s.buffer, s.count,
              s.type, r.buffer, r.counts, r.places, r.type, a.comm());
}

int NeighborAlltoall(Arguments& a, Form& form) {
  const Payload s = a.Make(Side::kSend, Area::kSend, a.Destinations());
  const Payload r = a.Make(Side::kReceive, Area::kReceive, a.Sources());
  if (!a.ok()) return MPI_SUCCESS;
  return form(MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall,
              RANKSIGHT_MPI4(MPI_Neighbor_alltoall_init), s.buffer, s.count,
              s.type, r.buffer, r.count, r.type, a.comm());
}

int NeighborAlltoallv(Arguments& a, Form& form) {
  const VectorPayload s =
      a.MakeVector(Side::kSend, Area::kSend, a.Destinations());
  const VectorPayload r =
      a.MakeVector(Side::kReceive, Area::kReceive, a.Sources());
  if (!a.ok()) return MPI_SUCCESS;
  return form(MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv,
              RANKSIGHT_MPI4(MPI_Neighbor_alltoallv_init), s.buffer, s.counts,
              s.places, s.type, r.buffer, r.counts, r.places, r.type, a.comm());
}

int NeighborAlltoallw(Arguments& a, Form& form) {
  const VectorPayload s =
      a.MakeVector(Side::kSend, Area::kSend, a.Destinations());
  const VectorPayload r =
      a.MakeVector(Side::kReceive, Area::kReceive, a.Sources());
  if (!a.ok()) return MPI_SUCCESS;
  return form(MPI_Neighbor_alltoallw, MPI_Ineighbor_alltoallw,
              RANKSIGHT_MPI4(MPI_Neighbor_alltoallw_init), s.buffer, s.counts,
              s.byte_places, s.types, r.buffer, r.counts, r.byte_places,
              r.types, a.comm());
}

}  // namespace ranksight::replay_engine
