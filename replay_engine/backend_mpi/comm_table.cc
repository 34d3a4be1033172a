#include "replay_engine/backend_mpi/comm_table.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "reduction/api/neighbours.inc"
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
  // Peers of an intercommunicator are those of the other group.
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
  // Messages name the same few peers again and again, and MPI may look through
  // the whole group each time.
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
  count_neighbours(comm->handle, &comm->sources, &comm->destinations);
}

void CommTable::RecogniseSources(const reduction::EdgeMarks& edges,
                                 CommEntry* comm) {
  CountNeighbours(comm);
  std::vector<uint64_t> out = edges.out;
  out.resize(size_t(comm->destinations), edges.other_out);
  comm->recorded_sources.resize(edges.in.size());
  if (find_recorded_sources(comm->handle, out.data(), edges.in.data(),
                            edges.in.size(),
                            comm->recorded_sources.data()) == 0) {
    comm->recorded_sources.clear();
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
