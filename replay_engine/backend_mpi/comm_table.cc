#include "replay_engine/backend_mpi/comm_table.h"

#include <string>
#include <vector>

#include "replay_engine/backend_mpi/mpi_status.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Result;
using reduction::Status;

}  // namespace

CommTable::CommTable() {
  PMPI_Comm_group(MPI_COMM_WORLD, &world_group_);
  PMPI_Comm_size(MPI_COMM_WORLD, &world_size_);
  Add(0, world_size_).handle = MPI_COMM_WORLD;
  Add(1, 1).handle = MPI_COMM_SELF;
}

CommEntry& CommTable::Add(int64_t number, int64_t expected_size) {
  CommEntry& comm = comms_[number];
  comm.expected_size = expected_size;
  return comm;
}

Result<CommEntry*> CommTable::Find(int64_t number) {
  const auto it = comms_.find(number);
  if (it == comms_.end()) {
    return Status::BadInput("communicator " + std::to_string(number) +
                            " was made by no call of the trace");
  }
  CommEntry& comm = it->second;
  if (comm.size < 0) {
    if (Status s = Prepare(number, &comm); !s.ok()) return s;
  }
  return &comm;
}

Status CommTable::Prepare(int64_t number, CommEntry* comm) const {
  int size = 0;
  if (comm->handle != MPI_COMM_NULL) PMPI_Comm_size(comm->handle, &size);
  if (size != comm->expected_size) {
    return Status::BadInput("communicator " + std::to_string(number) + " has " +
                            std::to_string(size) +
                            " ranks here, in the trace " +
                            std::to_string(comm->expected_size));
  }
  int inter = 0;
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Comm_test_inter(comm->handle, &inter);
  if (inter != 0) {
    PMPI_Comm_remote_group(comm->handle, &group);
  } else {
    PMPI_Comm_group(comm->handle, &group);
  }
  comm->members = MembersOf(group);
  comm->size = size;
  return Status::Ok();
}

Members CommTable::MembersOf(MPI_Group group) const {
  Members members;
  members.group = group;
  PMPI_Group_size(group, &members.size);
  if (members.size == world_size_) {
    int relation = MPI_UNEQUAL;
    PMPI_Group_compare(group, world_group_, &relation);
    members.world_order = relation == MPI_IDENT;
  }
  return members;
}

void CommTable::Forget(Members* members) {
  if (members->group != MPI_GROUP_NULL) PMPI_Group_free(&members->group);
  *members = Members{};
}

Result<int> CommTable::RankIn(Members& members, int64_t world_rank) const {
  const bool exists = world_rank >= 0 && world_rank < world_size_;
  const int in_world = static_cast<int>(world_rank);
  if (exists && members.world_order) return in_world;
  const auto known = members.known.find(world_rank);
  if (known != members.known.end()) return known->second;
  int translated = MPI_UNDEFINED;
  if (exists) {
    PMPI_Group_translate_ranks(world_group_, 1, &in_world, members.group,
                               &translated);
  }
  if (translated == MPI_UNDEFINED) {
    return Status::BadInput("rank " + std::to_string(world_rank) +
                            " is not in the group");
  }
  members.known.emplace(world_rank, translated);
  return translated;
}

void CommTable::CountNeighbours(CommEntry* comm) {
  if (comm->sources >= 0) return;
  int topology = MPI_UNDEFINED, rank = 0, weighted = 0;
  comm->sources = comm->destinations = 0;
  PMPI_Topo_test(comm->handle, &topology);
  if (topology == MPI_DIST_GRAPH) {
    PMPI_Dist_graph_neighbors_count(comm->handle, &comm->sources,
                                    &comm->destinations, &weighted);
    return;
  }
  if (topology == MPI_CART) {
    PMPI_Cartdim_get(comm->handle, &comm->sources);
    comm->sources *= 2;
  } else if (topology == MPI_GRAPH) {
    PMPI_Comm_rank(comm->handle, &rank);
    PMPI_Graph_neighbors_count(comm->handle, rank, &comm->sources);
  }
  comm->destinations = comm->sources;
}

void CommTable::RecogniseSources(const EdgeAmounts& edges, CommEntry* comm) {
  CountNeighbours(comm);
  std::vector<EdgeMark> out = edges.out;
  out.resize(size_t(comm->destinations));
  for (EdgeMark& mark : out) mark[1] = edges.to_all;
  std::vector<EdgeMark> in(size_t(comm->sources));
  constexpr int kWords = 2;
  if (PMPI_Neighbor_alltoall(out.data(), kWords, MPI_UINT64_T, in.data(),
                             kWords, MPI_UINT64_T,
                             comm->handle) != MPI_SUCCESS) {
    return;
  }
  std::vector<EdgeMark> recorded = edges.in;
  if (recorded.size() != in.size()) return;
  std::vector<bool> taken(in.size());
  for (size_t i = 0; i < in.size(); ++i) {
    size_t at = 0;
    while (at < in.size() && (taken[at] || recorded[at] != in[i])) ++at;
    // Another order of the destinations, too: nothing is known.
    if (at == in.size()) return comm->recorded_sources.clear();
    taken[at] = true;
    comm->recorded_sources.push_back(int(at));
  }
}

Result<MPI_Group> CommTable::GroupOf(const int64_t* ranks, size_t count) {
  std::vector<int> members;
  for (size_t i = 0; i < count; ++i) {
    if (ranks[i] < 0 || ranks[i] >= world_size_) {
      return Status::BadInput("group member " + std::to_string(ranks[i]) +
                              " is no rank of the world");
    }
    members.push_back(static_cast<int>(ranks[i]));
  }
  MPI_Group group = MPI_GROUP_NULL;
  const int code = PMPI_Group_incl(
      world_group_, static_cast<int>(members.size()), members.data(), &group);
  if (code != MPI_SUCCESS) return FromMpi(code);
  return group;
}

void CommTable::Remove(int64_t number) {
  const auto it = comms_.find(number);
  if (it == comms_.end()) return;
  Forget(&it->second.members);
  comms_.erase(it);
}

void CommTable::FreeGroups() {
  for (auto& [number, comm] : comms_) Forget(&comm.members);
  if (world_group_ != MPI_GROUP_NULL) PMPI_Group_free(&world_group_);
}

}  // namespace ranksight::replay_engine
