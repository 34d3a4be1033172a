#include "online_model/structure/find_tree.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "online_model/structure/feature.h"
#include "online_model/structure/find_affine.h"
#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;
using Samples = std::span<const Sample>;

// Larger ones are hardly told from one rank that all others report to.
constexpr int64_t kMostArity = 64;
// With fewer different parents many lines have their whole parts.
constexpr size_t kLeastParents = 3;
// Sizes that must show both bounds: one tells where the line is, the other
// that it moves with the size.
constexpr int kLeastSizesToBound = 2;

// How many there are, by the place of a rank among the ranks or along a side.
struct RankLine {
  Feature place, length;
};

std::vector<RankLine> Lines(int ndims) {
  using F = Feature::Kind;
  std::vector<RankLine> lines{
      {{F::kRank, 0, nullptr}, {F::kRanks, 0, nullptr}}};
  for (int d = 0; d < ndims && ndims > 1; ++d) {
    lines.push_back({{F::kCoord, d, nullptr}, {F::kDim, d, nullptr}});
  }
  return lines;
}

struct Bounds {
  int64_t low = std::numeric_limits<int64_t>::max();
  int64_t high = std::numeric_limits<int64_t>::min();
};

Bounds BoundsOf(Samples samples) {
  Bounds bounds;
  for (const Sample& s : samples) {
    bounds.low = std::min(bounds.low, s.value);
    bounds.high = std::max(bounds.high, s.value);
  }
  return bounds;
}

bool Supported(Samples samples, const Bounds& bounds) {
  std::map<const Grid*, std::pair<bool, bool>> seen;
  for (const Sample& s : samples) {
    seen[s.where.grid].first |= s.value == bounds.low;
    seen[s.where.grid].second |= s.value == bounds.high;
  }
  return std::ranges::count_if(seen, [](const auto& size) {
           return size.second.first && size.second.second;
         }) >= kLeastSizesToBound;
}

// What may be added to length - arity * place to have all samples between the
// bounds on the line, and those at a bound on it or behind.
struct Summands {
  int64_t least = std::numeric_limits<int64_t>::min();
  int64_t most = std::numeric_limits<int64_t>::max();
};

Summands SummandsOf(Samples samples, const Bounds& bounds, const RankLine& line,
                    int64_t arity) {
  Summands add;
  for (const Sample& s : samples) {
    const int64_t at = line.length.At(s.where) - arity * line.place.At(s.where);
    if (s.value > bounds.low) add.least = std::max(add.least, s.value - at);
    if (s.value < bounds.high) add.most = std::min(add.most, s.value - at);
    if (add.least > add.most) break;
  }
  return add;
}

ExpressionPtr Between(const Bounds& bounds, const RankLine& line, int64_t arity,
                      int64_t add) {
  const ExpressionPtr length = FeatureExpression(line.length);
  const ExpressionPtr place = FeatureExpression(line.place);
  if (bounds.low == 0 && bounds.high == 1) {
    return Combine(Op::kLess, AffineExpression(arity, place, -add), length);
  }
  ExpressionPtr left = Combine(Op::kSubtract, AffineExpression(1, length, add),
                               AffineExpression(arity, place, 0));
  return Combine(
      Op::kMaximum, ConstantExpression(bounds.low),
      Combine(Op::kMinimum, ConstantExpression(bounds.high), std::move(left)));
}

}  // namespace

ExpressionPtr FindChildCount(Samples samples, int ndims) {
  if (samples.empty()) return nullptr;
  const Bounds bounds = BoundsOf(samples);
  if (bounds.low == bounds.high || !Supported(samples, bounds)) return nullptr;
  for (const RankLine& line : Lines(ndims)) {
    ExpressionPtr only;
    for (int64_t arity = 1; arity <= kMostArity; ++arity) {
      const Summands add = SummandsOf(samples, bounds, line, arity);
      if (add.least > add.most) continue;
      if (only != nullptr || add.least < add.most) return nullptr;
      only = Between(bounds, line, arity, add.least);
    }
    if (only != nullptr && Gives(*only, samples)) return only;
  }
  return nullptr;
}

ExpressionPtr FindParent(Samples samples) {
  std::set<int64_t> parents;
  for (const Sample& s : samples) {
    if (reduction::IsSpecial(s.value)) return nullptr;
    parents.insert(s.value);
  }
  if (parents.size() < kLeastParents) return nullptr;
  const ExpressionPtr rank =
      FeatureExpression({Feature::Kind::kRank, 0, nullptr});
  for (int64_t arity = 2; arity <= kMostArity; ++arity) {
    for (int64_t back = 0; back <= arity; ++back) {
      ExpressionPtr e = Combine(Op::kDivide, AffineExpression(1, rank, -back),
                                ConstantExpression(arity));
      if (Gives(*e, samples)) return e;
    }
  }
  return nullptr;
}

}  // namespace ranksight::online_model
