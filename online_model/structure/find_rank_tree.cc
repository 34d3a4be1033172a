#include "online_model/structure/find_rank_tree.h"

#include <map>
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

// Different values that say that an amount follows a tree.
constexpr size_t kLeastForAmount = 3;

// factor * e + add, by the first samples that differ; nullptr where that does
// not give all.
ExpressionPtr AffineOf(const ExpressionPtr& e,
                       std::span<const Sample> samples) {
  std::map<int64_t, int64_t> values;
  for (const Sample& s : samples) {
    const auto at = values.emplace(e->At(s.where), s.value).first;
    if (at->second != s.value) return nullptr;
  }
  if (values.size() < kLeastForAmount || values.begin()->first == kNotWhole) {
    return nullptr;
  }
  const auto [x, v] = *values.begin();
  const auto [y, w] = *std::next(values.begin());
  if (w == v || CheckedValue(__int128(w) - v) == kNotWhole) return nullptr;
  if ((w - v) % (y - x) != 0) return nullptr;
  const int64_t factor = (w - v) / (y - x);
  ExpressionPtr law = AffineExpression(factor, e, v - factor * x);
  return Gives(*law, samples) ? law : nullptr;
}

// What a rank passes on in a tree by the low bits of its number, as a tag or
// for all ranks below it: these are as many as its low bit says, or as there
// are.
ExpressionPtr FindAmountOnTree(std::span<const Sample> samples) {
  const ExpressionPtr low = FeatureExpression(Kind::kLowBit);
  const ExpressionPtr left =
      Combine(Op::kSubtract, FeatureExpression(Kind::kRanks),
              FeatureExpression(Kind::kRank));
  for (const ExpressionPtr& e :
       {low, Combine(Op::kMinimum, low, left), FeatureExpression(Kind::kZeros),
        FeatureExpression(Kind::kAbove)}) {
    if (ExpressionPtr law = AffineOf(e, samples)) return law;
  }
  return nullptr;
}

}  // namespace

std::optional<ScalarLaw> FindRankTree(std::span<const Sample> samples,
                                      const SearchSpace& space) {
  if (!space.ranked && !space.counts) {
    if (space.array || AnySpecial(samples)) return std::nullopt;
    ExpressionPtr amount = FindAmountOnTree(samples);
    if (amount == nullptr) return std::nullopt;
    return OfExpression(std::move(amount));
  }
  if (space.ndims == 1) return std::nullopt;
  for (const ExpressionPtr& e : TreeExpressions(space.ranked)) {
    if (Gives(*e, samples)) return OfExpression(e);
  }
  return std::nullopt;
}

}  // namespace ranksight::online_model
