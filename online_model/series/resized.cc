#include "online_model/series/resized.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

// In proportion, adding up to `count`: what rounding leaves goes to the
// fullest.
std::vector<uint64_t> Proportional(std::vector<uint64_t> counts,
                                   uint64_t count) {
  if (counts.empty()) return counts;
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

reduction::Moments Resized(const reduction::Moments& from, double factor,
                           uint64_t count) {
  RANKSIGHT_REQUIRE(factor > 0);
  if (from.count == 0 || count == 0) return {};
  const double repeat = double(count) / double(from.count);
  return {count, from.sum * factor * repeat,
          from.sum_squares * factor * factor * repeat, from.min * factor,
          from.max * factor};
}

reduction::Sketch Resized(const reduction::Sketch& from, double factor,
                          uint64_t count) {
  RANKSIGHT_REQUIRE(factor > 0);
  reduction::Sketch sketch = from;
  sketch.Scale(factor);
  const reduction::Moments moments = Resized(from.moments(), factor, count);
  if (moments.count == 0) return {};
  sketch.Restore(moments, sketch.first_bucket(),
                 Proportional(sketch.counts(), count));
  return sketch;
}

}  // namespace ranksight::online_model
