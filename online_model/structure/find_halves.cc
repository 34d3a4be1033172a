#include "online_model/structure/find_halves.h"

#include <algorithm>
#include <set>

#include "online_model/structure/find_affine.h"

namespace ranksight::online_model {
namespace {

using Kind = Feature::Kind;
using Op = Expression::Op;

// As many as two numbers to choose, and one that confirms them.
constexpr size_t kFewestHalves = 3;

size_t HalvesSeen(std::span<const Sample> samples, int64_t more) {
  std::set<int64_t> seen;
  for (const Sample& s : samples) {
    if (s.value > more) seen.insert(s.value);
  }
  return seen.size();
}

}  // namespace

ExpressionPtr FindHalves(std::span<const Sample> samples) {
  for (const Kind from : {Kind::kPosition, Kind::kBack}) {
    const ExpressionPtr place = FeatureExpression(from);
    const auto first = std::ranges::find_if(
        samples, [&](const Sample& s) { return place->At(s.where) == 0; });
    if (first == samples.end()) continue;
    for (const int64_t more : {0, 1, 2, -1, -2}) {
      const int64_t whole = first->value - more;
      if (whole < 1 || HalvesSeen(samples, more) < kFewestHalves) continue;
      ExpressionPtr law = AffineExpression(
          1, Combine(Op::kShiftRight, ConstantExpression(whole), place), more);
      if (Gives(*law, samples)) return law;
    }
  }
  return nullptr;
}

}  // namespace ranksight::online_model
