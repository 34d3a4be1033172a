// Requests that calls completed in the order in which they happened to come,
// put into the order in which they were started.
//
// Between two completions that follow one another the program makes no other
// call. So what they completed together had come when the last of them
// returned, and which of it came first is time, not structure: the oldest is
// taken to have. Requests that received from any source or with any tag stay
// where they are, for what they matched stands beside them.
//
// Invariants: each node gets as many requests for each call as it completed;
// what calls behind one another complete together is the same as it was.
// Complexity: O(log n) a request, n of them completed behind one another.
// Thread-safety: as the folder's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reduction/queue/tree_node.h"

namespace ranksight::reduction {

class Arrivals {
 public:
  // A call completed these requests, as RequestRef names them. matches: of how
  // many of them it says what they matched; before: events pushed before it.
  void Add(TreeNode* node, std::span<const int64_t> requests, size_t matches,
           uint64_t before);
  // Gives the nodes what they have not got yet. What follows starts anew. May
  // be called again after it ran out of memory.
  void Settle();

 private:
  // Requests that wait. Doubling it keeps the order of twice as many from
  // showing, for 16 bytes each.
  static constexpr size_t kMost = 4096;

  struct Call {
    TreeNode* node;
    size_t count;
    bool stays;  // its requests are where they belong
  };
  std::vector<Call> calls_;
  std::vector<int64_t> requests_;  // of all calls
  std::vector<int64_t> sorted_;    // of those that may move
  // Requests that nodes have got, where memory ended before all had theirs.
  size_t given_ = 0;
  uint64_t next_ = 0;  // events before the one that would come right behind
};

}  // namespace ranksight::reduction
