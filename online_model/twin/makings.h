// The calls of one run that make communicators, and who is together in what
// they made: as it was recorded, or as laws say it.
//
// Followed from the world on: the k-th call of each member on one communicator
// are one call. Of calls whose parts a colour, a list or a grid of all ranks
// does not tell nothing is known. Who makes an intercommunicator is one class,
// its group; what stands on it is not followed, as its members name others.
// Thread-safety: immutable once made. Complexity: O(calls of all ranks).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "online_model/twin/input_run.h"

namespace ranksight::online_model {

// What those that are together have in common: a colour or a list of members,
// and how many they are by the trace. Nothing of who gets no communicator.
struct Together {
  static constexpr int64_t kUnknown = -1;  // no law says how many
  std::vector<int64_t> by;
  int64_t size = 0;
  auto operator<=>(const Together&) const = default;
};

// A call of one rank that makes a communicator.
struct Making {
  int node = -1;
  int64_t run = 0;
  int64_t out_of = 0;          // number of the communicator it is called on
  int64_t number = -1;         // of what it makes; -1: nothing
  std::vector<int64_t> named;  // also by who gets none
  std::optional<Together> with;
  // Of MPI_Intercomm_create: who leads its group, and the other; as ranks of
  // the world.
  int64_t leader = -1, remote_leader = -1;
  bool is_between() const { return leader >= 0; }
};

// A call that all members of a communicator make together.
struct JointCall {
  size_t out_of = 0;                                // which communicator
  std::vector<std::pair<int64_t, size_t>> makings;  // rank, which of its calls
  // Who is together then; empty where that is not told: members have no such
  // call, or are not as many as they got.
  std::map<Together, std::vector<int64_t>> classes;
  std::vector<size_t> made;  // by class
};

class Makings {
 public:
  // REQUIRES: the tree outlives it.
  Makings(const TwinTree& tree, const std::vector<RankRun>& runs);

  // Of each rank, its calls in order.
  const std::vector<std::vector<Making>>& of_rank() const { return of_rank_; }
  const std::vector<JointCall>& calls() const { return calls_; }
  const Making& First(const JointCall& call) const;
  reduction::Call CallAt(int node) const {
    return tree_.nodes[size_t(node)].like->call;
  }
  // How many groups the calls of a node make, on average.
  std::optional<double> GroupsAt(int node) const;
  // Which communicator a rank means by a number; nothing where it is not known.
  std::optional<size_t> Which(int64_t rank, int64_t number) const;
  const std::vector<int64_t>& MembersOf(size_t which) const {
    return made_[which];
  }

 private:
  void Follow(size_t out_of);
  std::vector<size_t> CallsOn(int64_t rank, size_t out_of) const;
  void Classify(JointCall* call);

  const TwinTree& tree_;
  std::vector<std::vector<Making>> of_rank_;
  std::vector<std::vector<int64_t>> made_;  // members; the world first
  // Of each rank, which one a number means.
  std::vector<std::map<int64_t, size_t>> which_;
  std::vector<JointCall> calls_;
};

}  // namespace ranksight::online_model
