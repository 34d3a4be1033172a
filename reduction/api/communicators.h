// Communicators: which ranks of the world are in which communicator, found
// by matching what all ranks did to make them, k-th call with k-th call on
// the same parent. An intercommunicator is two of them, one for each group,
// each the other's `remote`.
//
// Memory: the members of every communicator made. Traces that make none
// cost nothing.
// Thread-safety: immutable once built.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::reduction {

struct Communicator {
  int64_t id = 0;                // 0 is the world; one number for all members
  std::vector<int64_t> members;  // ranks in the world, in order; world: empty
  std::vector<int64_t> dims;     // of a Cartesian one
  // Of an intercommunicator, whose own group the members are: the other one,
  // or nullptr where the trace does not have it (spawned processes).
  bool is_inter = false;
  const Communicator* remote = nullptr;
  // Those of one generation were made by the same calls of all their members,
  // so no two ranks can both send and receive on two of them. The world's is 0.
  int64_t generation = 0;

  // One number for both groups.
  int64_t common_id() const {
    return remote == nullptr || id < remote->id ? id : remote->id;
  }
};

class Communicators {
 public:
  // kNo, with the call and where it was made, when members contradict each
  // other (MPI_Comm_split_type over several hosts in older traces, threads that
  // make communicators at once).
  static Result<Communicators> Find(const Trace& trace);

  // nullptr for a number that the rank never obtained.
  const Communicator* Of(int64_t rank, int64_t number) const;
  int64_t ranks() const { return ranks_; }
  // Members, also of the world and of self.
  int64_t Size(int64_t rank, int64_t number) const;
  // Place of a rank of the world in it, or -1.
  static int64_t PlaceIn(const Communicator& c, int64_t world_rank);
  // All, the world first.
  const std::vector<std::unique_ptr<Communicator>>& all() const { return all_; }

 private:
  friend class CommunicatorSearch;
  int64_t ranks_ = 0;
  std::vector<std::unique_ptr<Communicator>> all_;
  // By rank: communicators from number 2 on.
  std::vector<std::vector<const Communicator*>> of_rank_;
};

}  // namespace ranksight::reduction
