// CommTable: the communicators of this rank by the number of the trace, and
// ranks of the world as ranks in groups.
//
// Invariants: handles have stable addresses (MPI_Comm_idup writes late).
// Complexity: RankIn is O(1) but for the first time a peer is met; memory
// grows with the peers used, not with the size of communicators.
// Thread-safety: one thread.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "reduction/api/graph_edges.h"
#include "reduction/api/status.h"
#include "replay_engine/api/backend.h"

namespace ranksight::replay_engine {

// A group and where ranks of the world are in it.
struct Members {
  MPI_Group group = MPI_GROUP_NULL;
  int size = 0;
  bool world_order = false;  // ranks are those of the world
  std::unordered_map<int64_t, int> known;
};

struct CommEntry {
  MPI_Comm handle = MPI_COMM_NULL;
  int64_t expected_size = -1;
  // A duplicate for exchanges that replace collectives, if ever needed.
  MPI_Comm exchange = MPI_COMM_NULL;
  // Filled by the first use:
  int size = -1;    // of the own group
  Members members;  // whom peers name: the other group where there are two
  int sources = -1, destinations = -1;  // neighbours; -1: not yet counted
  // For each source its place in the recorded run; empty: the same.
  std::vector<int> recorded_sources;
};

class CommTable {
 public:
  CommTable();
  // A place for a communicator about to be made.
  CommEntry& Add(int64_t number, int64_t expected_size);
  // kBadInput when there is none of this number, or when it does not have
  // the size that the trace says.
  reduction::Result<CommEntry*> Find(int64_t number);
  // kBadInput when the rank is not in the group.
  reduction::Result<int> RankIn(Members& members, int64_t world_rank) const;
  // Takes the group, which Forget frees.
  Members MembersOf(MPI_Group group) const;
  static void Forget(Members* members);
  // Group of these ranks of the world; the caller frees it.
  reduction::Result<MPI_Group> GroupOf(const int64_t* ranks, size_t count);
  // Fills the neighbours of a communicator with a topology; none without.
  static void CountNeighbours(CommEntry* comm);
  // Finds out which recorded source each one is. Collective over the
  // communicator, a graph; unseen by a recorder.
  static void RecogniseSources(const reduction::EdgeMarks& edges,
                               CommEntry* comm);
  // Forgets a communicator that has been freed.
  void Remove(int64_t number);
  void FreeGroups();

 private:
  reduction::Status Prepare(int64_t number, CommEntry* comm) const;

  std::unordered_map<int64_t, CommEntry> comms_;
  MPI_Group world_group_ = MPI_GROUP_NULL;
  int world_size_ = 0;
};

}  // namespace ranksight::replay_engine
