// Communicators of this rank: their numbers in the order obtained, and the
// world ranks of their members. Thread-safety: one caller at a time.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ranksight::runtime {

// World ranks of the peers in a communicator, which may outlive it; nullptr
// where they are the ranks of the world.
using WorldRanksOfPeers = std::shared_ptr<const std::vector<int>>;

struct CommInfo {
  int64_t number = 0;
  int rank = 0;   // own rank in it
  int size = 0;   // of the local group
  int peers = 0;  // of the group that peers are in (remote or local)
  bool is_world = false;
  bool is_inter = false;
  WorldRanksOfPeers world_ranks;
  // Whether it holds until the communicator is seen to be freed.
  bool lasts = true;
};

class CommTable {
 public:
  // REQUIRES: MPI is initialised, the world exists.
  void Start();
  // Without a world: ranks are those of this group, kept until Stop.
  void StartWithGroup(MPI_Group everybody) { world_group_ = everybody; }
  void Stop();
  // Info of a communicator. MPI_COMM_NULL and one not seen before have none:
  // number kNone, no members. Asks MPI nothing: it may be no communicator.
  const CommInfo& Get(MPI_Comm comm) const;
  bool Knows(MPI_Comm comm) const;
  // What MPI says of one that was not seen being made (inside a callback),
  // until the next call: number kNone, for nothing in the trace makes it. It
  // does not last: it may be freed unseen, too. REQUIRES: a communicator.
  const CommInfo& LookAt(MPI_Comm comm);
  // Whether those registered from now on get a number; others have kNone.
  void Count(bool on) { counts_ = on; }
  // Registers a communicator just obtained (again, when a handle is reused).
  const CommInfo& Add(MPI_Comm comm);
  // The same with what is known of parent, asking MPI nothing about comm.
  // REQUIRES: MPI took parent for a communicator.
  const CommInfo& AddDuplicate(MPI_Comm comm, MPI_Comm parent);
  // What was known of it.
  std::optional<CommInfo> Forget(MPI_Comm comm);
  void PutBack(MPI_Comm comm, const std::optional<CommInfo>& known);
  // Neighbours in the communicator's topology, as sources or destinations.
  int NeighbourCount(MPI_Comm comm, bool sources) const;
  // Of its grid; 0 where there is none.
  int DimCount(MPI_Comm comm) const;
  // World rank of a peer number in comm, specials translated.
  int64_t WorldRank(int peer, MPI_Comm comm) const;
  static int64_t WorldRank(int peer, const WorldRanksOfPeers& peers);
  std::vector<int64_t> WorldRanks(MPI_Group group);
  // MPI_ROOT. SimGrid, which has no intercommunicators, defines it as 0.
  static bool SaysRoot(int peer) { return MPI_ROOT < 0 && peer == MPI_ROOT; }

 private:
  const CommInfo& Put(MPI_Comm comm, CommInfo info);
  int TopologyOf(MPI_Comm comm) const;
  int64_t NextNumber();

  std::unordered_map<uint64_t, CommInfo> comms_;
  CommInfo passing_;  // that does not last
  int64_t next_ = 2;
  bool counts_ = true;
  MPI_Group world_group_ = MPI_GROUP_NULL;
};

}  // namespace ranksight::runtime
