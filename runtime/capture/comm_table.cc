#include "runtime/capture/comm_table.h"

#include <numeric>
#include <utility>

#include "reduction/api/call.h"
#include "runtime/capture/handle_key.h"

namespace ranksight::runtime {
namespace {

std::vector<int> Translate(MPI_Group group, int size, MPI_Group world) {
  std::vector<int> local(static_cast<size_t>(size)), there(local.size());
  std::iota(local.begin(), local.end(), 0);
  PMPI_Group_translate_ranks(group, size, local.data(), world, there.data());
  return there;
}

// All but its number.
CommInfo Describe(MPI_Comm comm, MPI_Group world) {
  CommInfo info;
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  PMPI_Comm_rank(comm, &info.rank);
  PMPI_Comm_size(comm, &info.size);
  info.peers = info.size;
  info.is_inter = inter != 0;
  MPI_Group group = MPI_GROUP_NULL;
  if (info.is_inter) {
    PMPI_Comm_remote_size(comm, &info.peers);
    PMPI_Comm_remote_group(comm, &group);
  } else {
    PMPI_Comm_group(comm, &group);
  }
  info.world_ranks = std::make_shared<const std::vector<int>>(
      Translate(group, info.peers, world));
  PMPI_Group_free(&group);
  return info;
}

}  // namespace

void CommTable::Stop() {
  if (world_group_ != MPI_GROUP_NULL) PMPI_Group_free(&world_group_);
}

void CommTable::Start() {
  Stop();
  PMPI_Comm_group(MPI_COMM_WORLD, &world_group_);
  CommInfo& world = comms_[KeyOf(MPI_COMM_WORLD)];
  PMPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &world.size);
  world.peers = world.size;
  world.is_world = true;
  CommInfo& self = comms_[KeyOf(MPI_COMM_SELF)];
  self.number = 1;
  self.size = self.peers = 1;
  self.world_ranks = std::make_shared<const std::vector<int>>(1, world.rank);
}

bool CommTable::Knows(MPI_Comm comm) const {
  return comm == MPI_COMM_NULL || comms_.contains(KeyOf(comm));
}

const CommInfo& CommTable::Get(MPI_Comm comm) const {
  // Never destroyed: handlers of exit make calls too.
  static const CommInfo& none =
      *new CommInfo{.number = reduction::kNone,
                    .rank = MPI_UNDEFINED,
                    .world_ranks = std::make_shared<const std::vector<int>>()};
  const auto it = comms_.find(KeyOf(comm));
  return it != comms_.end() ? it->second : none;
}

const CommInfo& CommTable::LookAt(MPI_Comm comm) {
  passing_ = Describe(comm, world_group_);
  passing_.number = reduction::kNone;
  passing_.lasts = false;
  return passing_;
}

int64_t CommTable::NextNumber() { return counts_ ? next_++ : reduction::kNone; }

const CommInfo& CommTable::Add(MPI_Comm comm) {
  CommInfo info = Describe(comm, world_group_);
  info.number = NextNumber();
  return Put(comm, std::move(info));
}

const CommInfo& CommTable::AddDuplicate(MPI_Comm comm, MPI_Comm parent) {
  CommInfo info = Knows(parent) ? Get(parent) : LookAt(parent);
  info.lasts = true;
  info.number = NextNumber();
  return Put(comm, std::move(info));
}

const CommInfo& CommTable::Put(MPI_Comm comm, CommInfo info) {
  const auto [it, added] =
      comms_.insert_or_assign(KeyOf(comm), std::move(info));
  if (!added) Meanings::Change();
  return it->second;
}

std::optional<CommInfo> CommTable::Forget(MPI_Comm comm) {
  const auto known = comms_.extract(KeyOf(comm));
  if (!known) return std::nullopt;
  Meanings::Change();
  return known.mapped();
}

void CommTable::PutBack(MPI_Comm comm, const std::optional<CommInfo>& known) {
  if (known) Put(comm, *known);
}

int CommTable::TopologyOf(MPI_Comm comm) const {
  int topology = MPI_UNDEFINED;
  if (comm != MPI_COMM_NULL && Knows(comm)) PMPI_Topo_test(comm, &topology);
  return topology;
}

int CommTable::DimCount(MPI_Comm comm) const {
  int dims = 0;
  if (TopologyOf(comm) == MPI_CART) PMPI_Cartdim_get(comm, &dims);
  return dims;
}

int CommTable::NeighbourCount(MPI_Comm comm, bool sources) const {
  const int topology = TopologyOf(comm);
  int in = 0, out = 0, weighted = 0;
  if (topology == MPI_CART) return 2 * DimCount(comm);
  if (topology == MPI_GRAPH) {
    PMPI_Graph_neighbors_count(comm, Get(comm).rank, &in);
    return in;
  }
  if (topology != MPI_DIST_GRAPH) return 0;
  PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
  return sources ? in : out;
}

int64_t CommTable::WorldRank(int peer, MPI_Comm comm) const {
  return WorldRank(peer, Get(comm).world_ranks);
}

int64_t CommTable::WorldRank(int peer, const WorldRanksOfPeers& peers) {
  if (peer == MPI_ANY_SOURCE) return reduction::kPeerAny;
  if (peer == MPI_PROC_NULL) return reduction::kPeerNull;
  if (SaysRoot(peer)) return reduction::kPeerRoot;
  if (peers == nullptr) return peer;
  // A rank outside the group is the program's error, which MPI reports.
  if (peer < 0 || size_t(peer) >= peers->size()) return reduction::kNone;
  const int world = (*peers)[size_t(peer)];
  return world == MPI_UNDEFINED ? reduction::kNone : world;
}

std::vector<int64_t> CommTable::WorldRanks(MPI_Group group) {
  int size = 0;
  if (group == MPI_GROUP_NULL || PMPI_Group_size(group, &size) != MPI_SUCCESS) {
    return {};
  }
  const std::vector<int> ranks = Translate(group, size, world_group_);
  return {ranks.begin(), ranks.end()};
}

}  // namespace ranksight::runtime
