// The loop tree under construction: where the program stands, and how the
// tree changes when the next call site is known.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "reduction/queue/tree_node.h"

namespace ranksight::reduction {

// Loops nest no more than 64 levels deep, whatever is called in which order:
// where they would be more, what stands outside a loop becomes a part
// of it that runs in some iterations only.
//
// Thread-safety: one thread at a time.
class LoopTree {
 public:
  // before(a, b): site a stands before site b in code order.
  explicit LoopTree(std::function<bool(uint32_t, uint32_t)> before);

  // The event node of (call, site), made if there is none, after moving
  // there and counting the run.
  TreeNode* Step(Call call, uint32_t site);
  // The same for an event node that is in the tree.
  void StepTo(TreeNode* event);
  // nullptr when (call, site) has not been seen.
  TreeNode* Find(Call call, uint32_t site) const;
  TreeNode& root() { return root_; }
  // Grows whenever nodes are added or enclosed.
  uint64_t changes() const { return changes_; }

 private:
  void MoveTo(TreeNode* event);
  void Repeat(TreeNode* parent, size_t first, size_t last);
  TreeNode* Enclose(TreeNode* parent, size_t first, size_t last);
  TreeNode* Absorb(size_t first);
  void DropIdleIterations(TreeNode* loop, uint64_t past);
  void Descend(TreeNode* from, TreeNode* event);
  void Enter(TreeNode* from, TreeNode* loop);
  TreeNode* Insert(Call call, uint32_t site);
  // Notes that `by` is in the loop now.
  void Widen(TreeNode* loop, const TreeNode& by) const;
  // The same of the loops that a new node stands in.
  void WidenAbove(TreeNode* node) const;

  std::function<bool(uint32_t, uint32_t)> before_;
  TreeNode root_;
  TreeNode* current_ = nullptr;
  uint64_t changes_ = 0;
  std::vector<std::vector<TreeNode*>> by_site_;
};

}  // namespace ranksight::reduction
