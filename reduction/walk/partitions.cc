#include "reduction/api/partitions.h"

#include <cstddef>
#include <vector>

#include "reduction/api/contract.h"
#include "reduction/api/section.h"

namespace ranksight::reduction {
namespace {

#include "reduction/api/partitions.inc"

void AddValues(const Section& section, std::set<int64_t>* values) {
  SectionCursor at(&section);
  for (uint64_t equal = 0; !at.done();) values->insert(at.NextRun(&equal));
}

}  // namespace

std::set<int64_t> PartitionCounts(const Trace& trace) {
  std::set<int64_t> counts;
  ForEachEvent(trace.root, [&](const Node& node) {
    const auto& params = Info(node.call).params;
    for (size_t i = 0; i < params.size(); ++i) {
      if (params[i] != Param::kPartitions) continue;
      for (const auto& [rank, section] : node.params[i].ByRank()) {
        AddValues(section, &counts);
      }
    }
  });
  return counts;
}

int64_t ScaledPartition(int64_t bytes, int64_t partitions, double factor,
                        const std::set<int64_t>& counts) {
  RANKSIGHT_REQUIRE(factor >= 0);
  const std::vector<int64_t> list(counts.begin(), counts.end());
  return scaled_partition(bytes, partitions, factor, list.data(), list.size());
}

}  // namespace ranksight::reduction
