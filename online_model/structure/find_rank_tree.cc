#include "online_model/structure/find_rank_tree.h"

#include <vector>

#include "online_model/structure/find_affine.h"

namespace ranksight::online_model {
namespace {

using Kind = Feature::Kind;
using Op = Expression::Op;

// Parents and children of a rank, and how many these are: those by the low bits
// are as many as fit below the number of ranks (min), and a rank comes so many
// levels behind the root (a difference).
std::vector<ExpressionPtr> TreeExpressions(bool ranked) {
  const ExpressionPtr rank = FeatureExpression(Kind::kRank);
  std::vector<ExpressionPtr> all;
  for (const Kind kind : kTreeKinds) {
    const ExpressionPtr one = FeatureExpression(kind);
    if (ranked) {
      all.push_back(Combine(Op::kSubtract, rank, one));
      all.push_back(Combine(Op::kAdd, rank, one));
      continue;
    }
    for (const int64_t add : {0, 1, -1}) {
      all.push_back(AffineExpression(1, one, add));
    }
    for (const Kind other : kTreeKinds) {
      const ExpressionPtr two = FeatureExpression(other);
      if (other == kind) continue;
      all.push_back(Combine(Op::kSubtract, one, two));
      if (other < kind) continue;
      all.push_back(Combine(Op::kMinimum, one, two));
      all.push_back(Combine(Op::kMaximum, one, two));
    }
  }
  return all;
}

}  // namespace

std::optional<ScalarLaw> FindRankTree(std::span<const Sample> samples,
                                      const SearchSpace& space) {
  if (space.ndims == 1 || (!space.ranked && !space.counts)) return std::nullopt;
  for (const ExpressionPtr& e : TreeExpressions(space.ranked)) {
    if (Gives(*e, samples)) return OfExpression(e);
  }
  return std::nullopt;
}

}  // namespace ranksight::online_model
