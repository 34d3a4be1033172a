#include "reduction/queue/loop_tree.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "reduction/api/contract.h"

namespace ranksight::reduction {
namespace {

void Renumber(TreeNode* parent, size_t from) {
  for (size_t i = from; i < parent->children.size(); ++i) {
    parent->children[i]->parent = parent;
    parent->children[i]->index = i;
  }
}

size_t Depth(const TreeNode* node) {
  size_t depth = 0;
  for (; node->parent != nullptr; node = node->parent) ++depth;
  return depth;
}

// Lifts a and b to the children of their lowest common ancestor.
// REQUIRES: a != b, neither an ancestor of the other.
void LiftToSiblings(TreeNode** a, TreeNode** b) {
  if ((*a)->parent == (*b)->parent) return;
  size_t da = Depth(*a), db = Depth(*b);
  for (; da > db; --da) *a = (*a)->parent;
  for (; db > da; --db) *b = (*b)->parent;
  while ((*a)->parent != (*b)->parent) {
    *a = (*a)->parent;
    *b = (*b)->parent;
  }
}

// Past iterations of a loop that are looked at one by one to leave out those
// in which none of its new children ran; beyond, they stay as empty
// iterations, which costs bytes but loses nothing.
constexpr uint64_t kMaxIdleSearch = 1 << 16;

int LevelsOf(const TreeNode& parent, size_t first, size_t last) {
  int levels = 0;
  for (size_t i = first; i <= last; ++i) {
    levels = std::max(levels, parent.children[i]->levels);
  }
  return levels;
}

}  // namespace

LoopTree::LoopTree(std::function<bool(uint32_t, uint32_t)> before)
    : before_(std::move(before)) {
  root_.iterations = 1;
}

TreeNode* LoopTree::Step(Call call, uint32_t site) {
  TreeNode* event = Find(call, site);
  if (event == nullptr) {
    event = Insert(call, site);
    current_ = event;
  } else {
    StepTo(event);
  }
  return event;
}

void LoopTree::StepTo(TreeNode* event) {
  if (event == current_) {
    event->Touch();
  } else {
    MoveTo(event);
  }
  current_ = event;
}

TreeNode* LoopTree::Find(Call call, uint32_t site) const {
  if (site >= by_site_.size()) return nullptr;
  for (TreeNode* event : by_site_[site]) {
    if (event->call == call) return event;
  }
  return nullptr;
}

void LoopTree::MoveTo(TreeNode* event) {
  TreeNode* here = current_;
  TreeNode* there = event;
  LiftToSiblings(&here, &there);
  // Standing behind it: the way back to it is a loop over all in between.
  if (there->index < here->index) {
    Repeat(there->parent, there->index, here->index);
  }
  Descend(there, event);
}

// Starts another iteration of the loop over children first..last of parent.
void LoopTree::Repeat(TreeNode* parent, size_t first, size_t last) {
  RANKSIGHT_REQUIRE(first <= last && last < parent->children.size());
  // From a loop's first child on it is the loop's own next iteration,
  // whatever of its end was skipped. From a later child it is a loop inside.
  TreeNode* loop = parent;
  if (parent == &root_ && parent->children[last]->levels >= kMostLevels) {
    // As deep, it takes up what would enclose it.
    loop = Absorb(first);
  } else if (parent == &root_ ||
             (first != 0 &&
              int(Depth(parent)) + LevelsOf(*parent, first, last) <
                  kMostLevels)) {
    loop = Enclose(parent, first, last);
  }
  ++loop->iterations;
  ++loop->runs;
}

// The root's last child takes up those from `first` on. They ran before it,
// and the root runs once, so that they ran in the loop's first iteration.
TreeNode* LoopTree::Absorb(size_t first) {
  RANKSIGHT_REQUIRE(first < root_.children.size());
  ++changes_;
  auto& all = root_.children;
  TreeNode* raw = all.back().get();
  for (size_t i = first; i + 1 < all.size(); ++i) Widen(raw, *all[i]);
  // Without memory the tree stays as it was: nothing below takes any.
  raw->children.reserve(raw->children.size() + all.size() - 1 - first);
  const auto taken = all.begin() + long(first);
  raw->children.insert(raw->children.begin(), std::move_iterator(taken),
                       std::move_iterator(all.end() - 1));
  all.erase(taken, all.end() - 1);
  Renumber(&root_, first);
  Renumber(raw, 0);
  return raw;
}

TreeNode* LoopTree::Enclose(TreeNode* parent, size_t first, size_t last) {
  RANKSIGHT_REQUIRE(first <= last && last < parent->children.size());
  RANKSIGHT_REQUIRE(parent->iterations >= 1);
  ++changes_;
  auto loop = std::make_unique<TreeNode>();
  const uint64_t past = parent->iterations - 1;
  loop->trips = Section::Constant(1, past);
  loop->iteration = past;
  loop->runs = 1;
  loop->iterations = past + 1;
  const auto begin = parent->children.begin();
  loop->low = parent->children[first]->low;
  loop->high = parent->children[first]->high;
  // Without memory the tree stays as it was.
  loop->children.reserve(last - first + 1);
  for (size_t i = first; i <= last; ++i) {
    Widen(loop.get(), *parent->children[i]);
    loop->children.push_back(std::move(parent->children[i]));
  }
  parent->children.erase(begin + long(first) + 1, begin + long(last) + 1);
  TreeNode* raw = loop.get();
  parent->children[first] = std::move(loop);
  Renumber(parent, first);
  Renumber(raw, 0);
  WidenAbove(raw);
  if (past > 0) DropIdleIterations(raw, past);
  return raw;
}

// The new loop has run once in each past iteration of its parent. Leaves out
// the iterations in which none of its children ran, so that its form does
// not depend on when it was found to be a loop.
void LoopTree::DropIdleIterations(TreeNode* loop, uint64_t past) {
  for (auto& child : loop->children) {
    if (child->runs != 0 && child->iteration < past) child->FlushRuns();
    // A child that ran in each iteration leaves none idle.
    if (child->trips.size() == past && child->trips.Min() > 0) return;
  }
  if (past > kMaxIdleSearch) return;
  std::vector<std::vector<int64_t>> counts;
  std::vector<int64_t> ran(past, 0);
  for (auto& child : loop->children) {
    counts.push_back(child->trips.Expand());
    counts.back().resize(past, 0);
    for (size_t i = 0; i < past; ++i) ran[i] |= counts.back()[i] != 0;
  }
  const uint64_t kept = uint64_t(std::count(ran.begin(), ran.end(), 1));
  for (size_t c = 0; c < counts.size(); ++c) {
    TreeNode& child = *loop->children[c];
    child.trips = Section();
    for (size_t i = 0; i < past; ++i) {
      if (ran[i] != 0) child.trips.Append(counts[c][i]);
    }
    if (child.runs != 0) child.iteration = kept;
  }
  loop->trips = Section::Of(ran);
  loop->iterations = kept + 1;
}

// Enters every loop from `from` down to the event, and counts each.
void LoopTree::Descend(TreeNode* from, TreeNode* event) {
  if (from != event) Enter(from, event->parent);
  event->Touch();
}

void LoopTree::Enter(TreeNode* from, TreeNode* loop) {
  if (loop != from) Enter(from, loop->parent);
  loop->Touch();
  ++loop->iterations;
}

TreeNode* LoopTree::Insert(Call call, uint32_t site) {
  ++changes_;
  TreeNode* parent = &root_;
  size_t index = 0;
  if (current_ != nullptr) {
    // Code order tells whether a site not seen before belongs to the loop at
    // hand, as an event it skipped so far, or follows the loop.
    const TreeNode* branch = current_;
    for (parent = current_->parent; parent != &root_;
         branch = parent, parent = parent->parent) {
      if (before_(parent->low, site) && before_(site, parent->high)) break;
      if (parent->levels >= kMostLevels) break;
    }
    index = branch->index + 1;
    while (index < parent->children.size() &&
           before_(parent->children[index]->high, site)) {
      ++index;
    }
  }
  auto event = std::make_unique<TreeNode>();
  event->parent = parent;
  event->call = call;
  event->site = event->low = event->high = site;
  // What it stands before in code order is no later part of the loop: only
  // that, behind the rest, makes it seem one.
  const bool nothing_behind = index == parent->children.size();
  event->may_follow =
      parent != &root_ &&
      (nothing_behind || current_->may_follow || before_(site, current_->site));
  const auto params = Info(call).params;
  event->params.Change().resize(params.size());
  for (size_t i = 0; i < params.size(); ++i) {
    const bool said =
        params[i] == Param::kMatched || params[i] == Param::kMatchedTags;
    event->matched |= uint32_t{said} << i;
    const bool is_chosen = CompletesSome(call) && params[i] == Param::kRequests;
    event->chosen |= uint32_t{is_chosen} << i;
  }
  TreeNode* raw = event.get();
  parent->children.insert(parent->children.begin() + long(index),
                          std::move(event));
  Renumber(parent, index);
  WidenAbove(raw);
  if (by_site_.size() <= site) by_site_.resize(site + 1);
  by_site_[site].push_back(raw);
  raw->Touch();
  return raw;
}

void LoopTree::Widen(TreeNode* loop, const TreeNode& by) const {
  if (before_(by.low, loop->low)) loop->low = by.low;
  if (before_(loop->high, by.high)) loop->high = by.high;
  loop->levels = std::max(loop->levels, by.levels + 1);
}

void LoopTree::WidenAbove(TreeNode* node) const {
  for (; node->parent != &root_; node = node->parent) {
    Widen(node->parent, *node);
  }
}

}  // namespace ranksight::reduction
