// RankRun: what every node of a tree does on one rank, value by value, as it
// was recorded or as laws give it.
//
// Nodes are in preorder, the root first. Thread-safety: value types, pure
// functions. Complexity: O(values of the rank that are not all the same).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "online_model/synthesize/node_law.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// The tree that all inputs have, and its laws.
struct TwinTree {
  struct Item {
    const reduction::Node* like = nullptr;  // of the largest input
    const NodeLaw* law = nullptr;
    int parent = -1;
    std::vector<int> children;
    // The trips here, or of a loop around, have no law.
    bool copied = false;
    // Its amounts come to nothing at the target, as in no run: whether such a
    // call is made then no law tells.
    bool vanishes = false;
    // Some of its amounts are laws rounded.
    bool is_rounded = false;
    // Drawn whatever laws there are, as these contradict each other.
    bool is_drawn = false;
    // Called on the communicator of all ranks; where no rank of the largest
    // input comes here, as others do at its call site, or as laws say.
    bool on_world = false;

    // Whether anything here has no law.
    bool IsOpen() const;
    bool HasNoLaw(size_t param) const {
      return !law->absent[param] && law->missing[param];
    }
  };
  std::vector<Item> nodes;
  bool draws_together = false;  // TwinMaker::DrawTogether
  bool draws_lists = false;     // TwinMaker::DrawCollectives
  bool sets_apart = false;      // TwinMaker::SetApart
};

// REQUIRES: both outlive the result.
TwinTree TreeOf(const reduction::Node& root, const NodeLaw& law);
std::vector<const reduction::Node*> NodesOf(const reduction::Node& root);

// A parameter's values on one rank.
class ValueList {
 public:
  ValueList() = default;
  explicit ValueList(const reduction::Section& values);
  // count values of the pattern.
  ValueList(const Pattern& pattern, uint64_t count);
  uint64_t size() const { return size_; }
  bool IsConstant() const { return all_.empty(); }
  // REQUIRES: i < size().
  int64_t At(uint64_t i) const { return all_.empty() ? value_ : all_[i]; }

 private:
  uint64_t size_ = 0;
  int64_t value_ = 0;         // where all are equal
  std::vector<int64_t> all_;  // else
};

struct NodeRun {
  // By iteration of the parent, the first run of the node in it; and the end.
  std::vector<uint64_t> starts;
  std::vector<ValueList> params;
  // Of laws: the one value that a parameter has on this rank.
  std::vector<std::optional<int64_t>> single;

  bool empty() const { return starts.empty() || starts.back() == 0; }
  // What the call's parameter, an array, has in one run.
  // Complexity: O(runs before).
  std::vector<int64_t> ListAt(reduction::Call call, size_t array,
                              uint64_t run) const;
};

struct RankRun {
  std::vector<NodeRun> nodes;
};

RankRun MeasuredRun(const std::vector<const reduction::Node*>& nodes,
                    const TwinTree& tree, int64_t rank);

// Which law it is that gives no number.
struct BadLaw {
  int node = -1;
  int param = -1;  // -1: the trips
};
// What has no law stays empty. kNo where a law gives no number; *bad says
// which.
reduction::Result<RankRun> RunByLaw(const TwinTree& tree, const Grid& grid,
                                    int64_t rank, BadLaw* bad);

// The parameter that says how many values an array has; params.size() of a
// scalar.
size_t LengthIndexOf(reduction::Call call, size_t param);

}  // namespace ranksight::online_model
