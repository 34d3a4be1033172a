#include "replay_engine/api/partitions.h"

#include <numeric>

#include "reduction/api/section.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Param;

void AddValues(const reduction::Section& section, std::set<int64_t>* values) {
  reduction::SectionCursor at(&section);
  for (uint64_t equal = 0; !at.done();) values->insert(at.NextRun(&equal));
}

}  // namespace

std::set<int64_t> PartitionCounts(const reduction::Trace& trace) {
  std::set<int64_t> counts;
  reduction::ForEachEvent(trace.root, [&](const reduction::Node& node) {
    const auto& params = reduction::Info(node.call).params;
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
  if (bytes <= 0 || partitions <= 0) return 0;
  if (bytes > INT64_MAX / partitions) return INT64_MAX;
  const int64_t all = bytes * partitions;
  int64_t unit = partitions;  // divides all, as whatever is taken in
  for (const int64_t count : counts) {
    if (count > 0 && all % count == 0) unit = std::lcm(unit, count);
  }
  const double units = double(all) * factor / double(unit);
  const int64_t share = unit / partitions;
  if (units * double(share) >= 0x1p62) return INT64_MAX;
  return static_cast<int64_t>(units) * share;
}

}  // namespace ranksight::replay_engine
