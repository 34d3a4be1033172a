#include "online_model/structure/find_members.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "online_model/structure/find_affine.h"

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;
using Samples = std::span<const Sample>;

// Groups of more ranks apart, or in a row, are seen whole at no size that a
// laptop records.
constexpr int64_t kMostApart = 64;

ExpressionPtr Of(Feature::Kind kind) {
  return FeatureExpression({kind, 0, nullptr});
}

// How many of N ranks leave the remainder when divided by n.
ExpressionPtr WithRemainder(ExpressionPtr remainder, int64_t n) {
  Expression block;
  block.op = Op::kBlockAt;
  block.a = Of(Feature::Kind::kRanks);
  block.b = std::move(remainder);
  block.c = ConstantExpression(n);
  return std::make_shared<const Expression>(std::move(block));
}

ExpressionPtr EveryNth(int64_t n) {
  return WithRemainder(
      Combine(Op::kRemainder, Of(Feature::Kind::kRank), ConstantExpression(n)),
      n);
}

ExpressionPtr InARow(int64_t n) {
  const ExpressionPtr before = AffineExpression(
      n, Combine(Op::kDivide, Of(Feature::Kind::kRank), ConstantExpression(n)),
      0);
  return Combine(Op::kMinimum, ConstantExpression(n),
                 Combine(Op::kSubtract, Of(Feature::Kind::kRanks), before));
}

// Ranks with this remainder are together, the others are in no group.
ExpressionPtr OneOfN(int64_t n, int64_t remainder) {
  const ExpressionPtr past =
      Combine(Op::kRemainder, Of(Feature::Kind::kRank), ConstantExpression(n));
  return SelectExpression(
      Combine(Op::kEqual, past, ConstantExpression(remainder)),
      WithRemainder(ConstantExpression(remainder), n), ConstantExpression(0));
}

}  // namespace

ExpressionPtr FindMemberCount(Samples samples) {
  std::set<const Grid*> sizes;
  int64_t most = 0;
  for (const Sample& s : samples) {
    sizes.insert(s.where.grid);
    most = std::max(most, s.where.ranks());
  }
  if (sizes.size() < 2) return nullptr;
  const auto first = std::find_if(samples.begin(), samples.end(),
                                  [](const Sample& s) { return s.value != 0; });
  if (first == samples.end()) return nullptr;
  for (int64_t n = 2; n <= std::min(kMostApart, most / 2); ++n) {
    for (ExpressionPtr& e : std::vector<ExpressionPtr>{
             EveryNth(n), InARow(n), OneOfN(n, first->where.rank % n)}) {
      if (Gives(*e, samples)) return e;
    }
  }
  return nullptr;
}

}  // namespace ranksight::online_model
