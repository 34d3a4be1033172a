#include "reduction/api/trace.h"

#include <algorithm>

namespace ranksight::reduction {
namespace {

constexpr uint64_t kMost = uint64_t{1} << 63;

uint64_t SaturatingAdd(uint64_t a, uint64_t b) {
  uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? kMost : std::min(sum, kMost);
}

// Sum of the trip counts of all ranks.
uint64_t TotalTrips(const Parameter& trips) {
  uint64_t total = 0;
  for (const ParameterPiece& piece : trips.pieces()) {
    const bool same = std::all_of(
        piece.columns.begin(), piece.columns.end(), [](const Column& c) {
          return c.values.terms().size() == 1 && c.values.IsConstant();
        });
    for (SectionCursor c(&piece.ranks); !c.done();) {
      const uint64_t one = uint64_t(trips.At(c.Next()).Sum());
      const uint64_t times = same ? piece.ranks.size() : 1;
      uint64_t all = 0;
      if (__builtin_mul_overflow(one, times, &all)) return kMost;
      total = SaturatingAdd(total, all);
      if (same) break;
    }
  }
  return total;
}

}  // namespace

uint64_t CountEvents(const Trace& trace) {
  uint64_t total = 0;
  ForEachEvent(trace.root, [&total](const Node& n) {
    total = SaturatingAdd(total, TotalTrips(n.trips));
  });
  return total;
}

uint64_t CountEvents(const Trace& trace, int64_t rank) {
  uint64_t total = 0;
  ForEachEvent(trace.root, [&total, rank](const Node& n) {
    total = SaturatingAdd(total, uint64_t(n.trips.At(rank).Sum()));
  });
  return total;
}

namespace {
uint64_t CountNodesBelow(const Node& node) {
  uint64_t n = node.children.size();
  for (const Node& child : node.children) n += CountNodesBelow(child);
  return n;
}
}  // namespace

uint64_t CountNodes(const Trace& trace) { return CountNodesBelow(trace.root); }

}  // namespace ranksight::reduction
