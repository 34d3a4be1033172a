#include "online_model/structure/find_folded.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "online_model/structure/dims_rule.h"
#include "online_model/structure/find_affine.h"

namespace ranksight::online_model {
namespace {

using Kind = Feature::Kind;
using Op = Expression::Op;
using Samples = std::span<const Sample>;

ExpressionPtr Number(int64_t n) { return ConstantExpression(n); }

ExpressionPtr PowerOf(ExpressionPtr exponent) {
  return Combine(Op::kShiftLeft, Number(1), std::move(exponent));
}
// Ranks beyond the last power of two.
ExpressionPtr Over() {
  return Combine(Op::kSubtract, FeatureExpression(Kind::kRanks),
                 PowerOf(FeatureExpression(Kind::kLog2)));
}
// Whether a rank is folded or has one folded into it.
ExpressionPtr IsPaired() {
  return Combine(Op::kLess, FeatureExpression(Kind::kRank),
                 AffineExpression(2, Over(), 0));
}
ExpressionPtr IsOdd() {
  return Combine(Op::kRemainder, FeatureExpression(Kind::kRank), Number(2));
}
ExpressionPtr And(ExpressionPtr a, ExpressionPtr b) {
  return Combine(Op::kMultiply, std::move(a), std::move(b));
}
ExpressionPtr Not(ExpressionPtr a) {
  return AffineExpression(-1, std::move(a), 1);
}

// Among those that double; of a rank that does.
ExpressionPtr PlaceOf() {
  return SelectExpression(
      IsPaired(),
      Combine(Op::kShiftRight, FeatureExpression(Kind::kRank), Number(1)),
      Combine(Op::kSubtract, FeatureExpression(Kind::kRank), Over()));
}
ExpressionPtr RankAt(const ExpressionPtr& place) {
  return SelectExpression(Combine(Op::kLess, place, Over()),
                          AffineExpression(2, place, 1),
                          Combine(Op::kAdd, place, Over()));
}

// Two sizes, so that a law is no accident of one.
bool AnyFolded(Samples samples) {
  std::set<int64_t> sizes;
  for (const Sample& s : samples) {
    if (!IsPowerOfTwo(s.where.ranks())) sizes.insert(s.where.ranks());
  }
  return sizes.size() > 1;
}

// A number, or a multiple of the doublings.
ExpressionPtr TimesOf(Samples samples) {
  const int64_t first = samples[0].value;
  const ExpressionPtr doublings = FeatureExpression(Kind::kLog2);
  std::vector<ExpressionPtr> laws{Number(first)};
  const int64_t count = doublings->At(samples[0].where);
  if (count > 0 && first % count == 0) {
    laws.push_back(AffineExpression(first / count, doublings, 0));
  }
  for (const ExpressionPtr& law : laws) {
    if (Gives(*law, samples)) return law;
  }
  return nullptr;
}

}  // namespace

ExpressionPtr FindFoldedCount(Samples samples) {
  if (!AnyFolded(samples) || AnySpecial(samples)) return nullptr;
  const std::array<ExpressionPtr, 3> classes{
      And(IsPaired(), Not(IsOdd())), And(IsPaired(), IsOdd()), IsPaired()};
  for (const ExpressionPtr& in_class : classes) {
    std::array<std::vector<Sample>, 2> parts;
    for (const Sample& s : samples) {
      parts[in_class->At(s.where) != 0].push_back(s);
    }
    if (parts[0].size() < 2 || parts[1].size() < 2) continue;
    const ExpressionPtr others = TimesOf(parts[0]);
    const ExpressionPtr inside = others ? TimesOf(parts[1]) : nullptr;
    // What is the same of all ranks has nothing to do with them.
    if (!inside || inside->ToString() == others->ToString()) continue;
    return SelectExpression(in_class, inside, others);
  }
  return nullptr;
}

ExpressionPtr FindFoldedPeer(Samples samples) {
  if (!AnyFolded(samples)) return nullptr;
  ExpressionPtr peer = RankAt(Combine(
      Op::kXor, PlaceOf(), PowerOf(FeatureExpression(Kind::kPosition))));
  return Gives(*peer, samples) ? peer : nullptr;
}

}  // namespace ranksight::online_model
