#include "online_model/synthesize/spread.h"

#include <cmath>

#include "online_model/series/resized.h"

namespace ranksight::online_model {
namespace {

using reduction::Distribution;

}  // namespace

Distribution DistributionOf(const reduction::Parameter& values) {
  if (values.distribution() != nullptr) return *values.distribution();
  Distribution all;
  for (const auto& [rank, section] : values.ByRank()) {
    all.Merge(Distribution::Of(section));
  }
  return all;
}

std::optional<Distribution> SpreadAs(const Distribution& like, uint64_t count,
                                     int64_t sum, int64_t ranks) {
  if (like.count() == 0 || count < uint64_t(ranks) || sum < 0) {
    return std::nullopt;
  }
  const double values =
      like.sum() == 0 ? 1 : double(sum) / double(count) / like.Mean();
  const reduction::Sketch sketch = Resized(like.sketch(), values, count);
  const reduction::Moments& moments = sketch.moments();
  // Sums of ranks have a mean of their own.
  const double rank_values =
      like.ranks().sum == 0 ? 1
                            : double(sum) / double(ranks) / like.ranks().Mean();
  Distribution spread;
  if (!Distribution::Restore(
          sketch, int64_t(std::floor(moments.min)),
          int64_t(std::ceil(moments.max)), sum,
          Resized(like.ranks(), rank_values, uint64_t(ranks)), &spread)) {
    return std::nullopt;
  }
  return spread;
}

}  // namespace ranksight::online_model
