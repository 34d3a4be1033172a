#include "reduction/queue/arrivals.h"

#include <algorithm>
#include <functional>

namespace ranksight::reduction {

void Arrivals::Add(TreeNode* node, std::span<const int64_t> requests,
                   size_t matches, uint64_t before) {
  if (before != next_ || requests_.size() >= kMost) Settle();
  next_ = before + 1;
  calls_.push_back({node, requests.size(), matches != 0});
  try {
    requests_.insert(requests_.end(), requests.begin(), requests.end());
  } catch (...) {
    calls_.pop_back();
    throw;
  }
}

void Arrivals::Settle() {
  sorted_.clear();
  auto at = requests_.begin();
  for (const Call& call : calls_) {
    if (!call.stays) sorted_.insert(sorted_.end(), at, at + long(call.count));
    at += long(call.count);
  }
  // References count backwards: the largest is the oldest.
  std::sort(sorted_.begin(), sorted_.end(), std::greater<>());
  size_t moved = 0, all = 0;
  for (const Call& call : calls_) {
    for (size_t i = 0; i < call.count; ++i, ++all) {
      const int64_t request = call.stays ? requests_[all] : sorted_[moved++];
      if (all < given_) continue;
      call.node->AppendCompleted(request);
      ++given_;
    }
  }
  given_ = 0;
  calls_.clear();
  requests_.clear();
}

}  // namespace ranksight::reduction
