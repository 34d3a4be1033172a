// Communicators that are drawn: which ranks are together in what a call makes
// whose colour, members or number have no law.
//
// Ranks whose like ones are together are so, too; where the runs make more such
// groups the more ranks there are, each is cut into as many. All members of a
// group then have like ones in one group, which called as many collectives.
// What members of a group make out of it is drawn within that group. Two groups
// that made an intercommunicator do so here, each cut as the other is.
// Thread-safety: immutable once made. Memory: O(ranks) for each call.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "online_model/twin/input_run.h"
#include "online_model/twin/size_fit.h"

namespace ranksight::online_model {

class DrawnGroups {
 public:
  struct Group {
    int64_t color = 0;
    std::vector<int64_t> members, like;  // ranks here, and at the largest input
  };
  // What a rank gets of a call.
  struct Membership {
    const Group* group = nullptr;  // that it is in; nullptr: none
    const Group* named = nullptr;  // that it names: one may name others
    // Of an intercommunicator: both groups' leaders there; -1 of all else.
    int64_t leader = -1, remote_leader = -1;
    // The group whose ranks its calls name.
    const Group* around() const { return leader >= 0 ? named : group; }
  };

  // drawn: nodes of which something has no law.
  static DrawnGroups Of(const TwinTree& tree, std::span<const InputRun> inputs,
                        const WantedSize& wanted, const std::set<int>& drawn);

  bool empty() const { return calls_.empty(); }
  // Whether the call of that node is drawn as a whole, on every rank.
  bool Draws(int node) const { return told_.contains(node); }
  // Of the call that is like a run of a node on a rank of the largest input;
  // nothing where that is not drawn.
  std::optional<Membership> At(int64_t rank, int64_t like, int node,
                               int64_t run) const;
  // The number of what that call made on the rank of the largest input; -1:
  // nothing.
  int64_t NumberOf(int64_t like, int node, int64_t run) const;
  // The group of this rank that is like a communicator which the like rank has
  // by this number; nullptr: not known, or between two groups.
  const Group* GroupOf(int64_t rank, int64_t like, int64_t number) const;
  // For a root at the largest input, one at the same place of a group here.
  static int64_t RootIn(const Group& group, int64_t like_root);

 private:
  // The j-th call on one communicator of the largest input, at all that are
  // like it.
  struct Call {
    // Who is asked; one list for all calls on the same communicator.
    std::shared_ptr<const std::vector<int64_t>> callers;
    std::vector<Group> groups;
    std::vector<int> group_of, named_by;  // by caller; -1: none
    // Of an intercommunicator: the call of the other group, whose groups are
    // as many, and this group's leader at the largest input.
    int other = -1;
    int64_t leader = -1;
  };
  struct Step {
    int call = -1;  // -1: not drawn
    int64_t number = -1;
  };
  friend class GroupDrawer;
  // Of a rank that calls there; nothing of others.
  static std::optional<size_t> CallerOf(const Call& call, int64_t rank);

  std::vector<Call> calls_;
  // By rank of the largest input, node and run.
  std::vector<std::map<std::pair<int, int64_t>, Step>> steps_;
  // By rank of the largest input and number: which call made it.
  std::vector<std::map<int64_t, int>> made_by_;
  std::set<int> told_;
};

}  // namespace ranksight::online_model
