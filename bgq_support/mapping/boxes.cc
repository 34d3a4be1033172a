#include "bgq_support/mapping/boxes.h"

#include <algorithm>
#include <numeric>

#include "bgq_support/base/contract.h"

namespace ranksight::bgq_support {
namespace {

class BoxSearch {
 public:
  explicit BoxSearch(const Lengths& machine)
      : machine_(machine), box_(machine.size(), 1) {}

  std::vector<Lengths> Run(int64_t ranks) {
    // Ranks that share nodes have shorter ways, and fewer links for them: some
    // boxes of each kind.
    constexpr size_t kKinds = 3;
    int64_t& slots = box_.back();
    for (slots = 1; slots <= machine_.back() && kinds_ < kKinds; ++slots) {
      if (ranks % slots == 0) TakeKind(ranks / slots);
    }
    return std::move(found_);
  }

 private:
  void TakeKind(int64_t nodes) {
    kind_.clear();
    Fill(0, nodes);
    if (!kind_.empty()) ++kinds_;
    found_.insert(found_.end(), kind_.begin(), kind_.end());
  }

  // Sides from `dim` on that have so many nodes.
  void Fill(size_t dim, int64_t nodes) {
    if (dim + 1 == box_.size()) {
      if (nodes == 1) Keep();
      return;
    }
    const int64_t most = std::min(machine_[dim], nodes);
    for (box_[dim] = 1; box_[dim] <= most; ++box_[dim]) {
      if (nodes % box_[dim] == 0) Fill(dim + 1, nodes / box_[dim]);
    }
    box_[dim] = 1;
  }

  // Among the first by the sum of their sides.
  void Keep() {
    constexpr size_t kOfAKind = 2;
    const auto sum = [](const Lengths& box) {
      return std::accumulate(box.begin(), box.end(), int64_t{0});
    };
    const auto less = [&](const Lengths& a, const Lengths& b) {
      return sum(a) < sum(b);
    };
    kind_.insert(std::upper_bound(kind_.begin(), kind_.end(), box_, less),
                 box_);
    if (kind_.size() > kOfAKind) kind_.pop_back();
  }

  const Lengths& machine_;
  Lengths box_;
  std::vector<Lengths> kind_, found_;
  size_t kinds_ = 0;
};

}  // namespace

std::vector<Lengths> BoxesFor(int64_t ranks, const Lengths& machine) {
  RANKSIGHT_REQUIRE(ranks > 0);
  int64_t places = 1;
  for (const int64_t length : machine) places *= length;
  if (places == ranks) return {machine};
  return BoxSearch(machine).Run(ranks);
}

}  // namespace ranksight::bgq_support
