// A tree without trips and parameters: what runs, nested how, and on whom.
//
// Merged as trees of ranks are (merge_trees.h), in place of which there are
// forms: ranks that run the same, numbered.
// Thread-safety: value types; pure functions.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "reduction/api/trace.h"
#include "reduction/merge/align_lists.h"

namespace ranksight::reduction {

inline constexpr size_t kMostForms = 256;
using FormSet = std::bitset<kMostForms>;

struct Skeleton {
  Node::Kind kind = Node::Kind::kLoop;
  Call call = Call::MPI_Init_;
  uint32_t site = 0;
  FormSet on;     // forms that run it
  FormSet twice;  // those that run it more than once in some visit
  std::vector<Skeleton> children;

  bool is_event() const { return kind == Node::Kind::kEvent; }
};

// Unites b into a, no form being in both.
void MergeTrees(Skeleton* a, Skeleton&& b);

// As WrapChildren for trees of ranks.
void WrapChildren(const Wrap& wrap, std::vector<Skeleton>* children);

}  // namespace ranksight::reduction
