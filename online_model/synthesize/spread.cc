#include "online_model/synthesize/spread.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace ranksight::online_model {
namespace {

using reduction::Distribution;
using reduction::Moments;
using reduction::Sketch;

Moments Scaled(const Moments& from, double values, uint64_t count) {
  const double repeat =
      from.count == 0 ? 0 : double(count) / double(from.count);
  return {count, from.sum * values * repeat,
          from.sum_squares * values * values * repeat, from.min * values,
          from.max * values};
}

// The counts of a histogram in proportion, adding up to `count`: what
// rounding leaves goes to the fullest.
std::vector<uint64_t> Proportional(std::vector<uint64_t> counts,
                                   uint64_t count) {
  double all = 0;
  for (const uint64_t c : counts) all += double(c);
  uint64_t given = 0;
  for (uint64_t& c : counts) {
    c = uint64_t(double(c) / all * double(count));
    given += c;
  }
  *std::max_element(counts.begin(), counts.end()) += count - given;
  return counts;
}

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
  Sketch sketch = like.sketch();
  sketch.Scale(values);
  const Moments moments = Scaled(like.sketch().moments(), values, count);
  sketch.Restore(moments, sketch.first_bucket(),
                 Proportional(sketch.counts(), count));
  // Sums of ranks have a mean of their own.
  const double rank_values =
      like.ranks().sum == 0 ? 1
                            : double(sum) / double(ranks) / like.ranks().Mean();
  Distribution spread;
  if (!Distribution::Restore(sketch, int64_t(std::floor(moments.min)),
                             int64_t(std::ceil(moments.max)), sum,
                             Scaled(like.ranks(), rank_values, uint64_t(ranks)),
                             &spread)) {
    return std::nullopt;
  }
  return spread;
}

}  // namespace ranksight::online_model
