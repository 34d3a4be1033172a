#include "cli/symbols/nested_ranges.h"

#include <iterator>

#include "reduction/api/contract.h"

namespace ranksight::cli {

int NestedRanges::AddScope(int parent) {
  parents_.push_back(parent);
  return int(parents_.size()) - 1;
}

void NestedRanges::AddRange(uint64_t begin, uint64_t end) {
  RANKSIGHT_REQUIRE(!parents_.empty());
  const int scope = int(parents_.size()) - 1;
  if (begin >= end) return;
  const auto first = CutAt(begin);
  const auto last = CutAt(end);
  for (auto at = first; at != last; ++at) {
    // Elsewhere a walk has left the scope that it found, and looks no further.
    if (at->second == kNoScope || IsWithin(scope, at->second))
      at->second = scope;
  }
}

int NestedRanges::FindScope(uint64_t address) const {
  return std::prev(innermost_.upper_bound(address))->second;
}

bool NestedRanges::IsWithin(int inner, int outer) const {
  // Numbers fall on the way out.
  while (inner > outer) inner = parents_[size_t(inner)];
  return inner == outer;
}

NestedRanges::Borders::iterator NestedRanges::CutAt(uint64_t address) {
  const auto next = innermost_.upper_bound(address);
  const auto around = std::prev(next);
  if (around->first == address) return around;
  return innermost_.emplace_hint(next, address, around->second);
}

}  // namespace ranksight::cli
