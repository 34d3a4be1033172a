#include "online_model/structure/find_border.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "online_model/structure/find_affine.h"

namespace ranksight::online_model {
namespace {

using Kind = Feature::Kind;
using Op = Expression::Op;

// Bit 2d: the first place of side d; bit 2d + 1: the last.
using Ends = unsigned;

constexpr size_t kFewestSizes = 2;
// One end alone is a feature, and shorter to say.
constexpr int kFewestEnds = 2;

Ends EndsOf(const Context& c, int ndims) {
  Ends ends = 0;
  for (int d = 0; d < ndims; ++d) {
    const int64_t at = c.at[size_t(d)];
    ends |= (at == 0 ? 1u : 0u) << (2 * d);
    ends |= (at == c.dim(d) - 1 ? 2u : 0u) << (2 * d);
  }
  return ends;
}

// Whether a rank is at none of the ends.
ExpressionPtr Within(Ends ends) {
  ExpressionPtr within;
  for (int i = 0; ends >> i != 0; ++i) {
    if ((ends >> i & 1) == 0) continue;
    ExpressionPtr beside = AffineExpression(
        -1, FeatureExpression(i % 2 == 0 ? Kind::kFirst : Kind::kLast, i / 2),
        1);
    within = CombineNext(Op::kMultiply, std::move(within), std::move(beside));
  }
  return within;
}

// How many ranks are at some of the ends: all but those within.
ExpressionPtr CountAt(Ends ends, int ndims) {
  ExpressionPtr within;
  for (int d = 0; d < ndims; ++d) {
    const int64_t left_out = std::popcount(ends >> (2 * d) & 3u);
    ExpressionPtr length = FeatureExpression(Kind::kDim, d);
    if (left_out > 0) {
      length = Combine(Op::kMaximum,
                       AffineExpression(1, std::move(length), -left_out),
                       ConstantExpression(0));
    }
    within = CombineNext(Op::kMultiply, std::move(within), std::move(length));
  }
  return Combine(Op::kSubtract, FeatureExpression(Kind::kRanks), within);
}

size_t SizesWithBoth(std::span<const Sample> samples) {
  std::map<const Grid*, std::set<int64_t>> seen;
  for (const Sample& s : samples) seen[s.where.grid].insert(s.value);
  size_t both = 0;
  for (const auto& [grid, values] : seen) both += values.size() > 1;
  return both;
}

// The ends at which a condition holds, or at none of which it does.
struct Border {
  Ends ends = 0;
  bool holds_within = false;
};

std::optional<Border> BorderOf(std::span<const Sample> samples, int ndims) {
  if (!AreConditions(samples)) return std::nullopt;
  if (SizesWithBoth(samples) < kFewestSizes) return std::nullopt;
  // What ranks at these ends have, as far as any are seen.
  std::map<Ends, int64_t> seen;
  for (const Sample& s : samples) {
    const auto [at, is_new] = seen.try_emplace(EndsOf(s.where, ndims), s.value);
    if (!is_new && at->second != s.value) return std::nullopt;
  }
  std::optional<Border> found;
  int fewest = 2 * ndims + 1;
  for (Ends ends = 1; ends < Ends{1} << (2 * ndims); ++ends) {
    const int count = std::popcount(ends);
    if (count > fewest) continue;
    for (const bool within : {false, true}) {
      const bool gives = std::ranges::all_of(seen, [&](const auto& one) {
        return ((one.first & ends) == 0) == within ? one.second == 1
                                                   : one.second == 0;
      });
      if (!gives) continue;
      const bool is_another = count == fewest;
      fewest = count;
      found = is_another ? std::nullopt : std::optional(Border{ends, within});
    }
  }
  return fewest < kFewestEnds ? std::nullopt : found;
}

}  // namespace

ExpressionPtr FindBorder(std::span<const Sample> samples, int ndims) {
  const auto border = BorderOf(samples, ndims);
  if (!border) return nullptr;
  ExpressionPtr within = Within(border->ends);
  return border->holds_within ? within
                              : AffineExpression(-1, std::move(within), 1);
}

ExpressionPtr FindBorderSize(std::span<const Sample> samples, int ndims) {
  std::vector<Sample> has_some;
  for (const Sample& s : samples) has_some.push_back({s.where, s.value != 0});
  const auto border = BorderOf(has_some, ndims);
  if (!border || border->holds_within) return nullptr;
  ExpressionPtr size =
      SelectExpression(Within(border->ends), ConstantExpression(0),
                       CountAt(border->ends, ndims));
  return Gives(*size, samples) ? size : nullptr;
}

}  // namespace ranksight::online_model
