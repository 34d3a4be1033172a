#include "online_model/structure/find_opposite.h"

#include <algorithm>
#include <utility>

#include "online_model/structure/find_affine.h"
#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

using Kind = Feature::Kind;
using Op = Expression::Op;

bool IsFeature(const Expression& e, Kind kind) {
  return e.op == Op::kFeature && e.feature.kind == kind;
}

// What is added to the own rank.
std::optional<Distance> FromOwnRank(const ScalarLaw& affine) {
  ScalarLaw by = affine;
  const auto is_own = [](const auto& term) {
    return term.second.kind == Kind::kRank && term.first == 1;
  };
  if (std::erase_if(by.terms, is_own) != 1) return std::nullopt;
  return Distance{Distance::kAllRanks, ExpressionOf(by)};
}

// (r + by) mod N, (r - by) mod N, rank(x -> x + by).
std::optional<Distance> FromExpression(const Expression& e) {
  if (e.op == Op::kMove) return Distance{int(e.value), e.a};
  // Nobody there, or so far away.
  if (e.op == Op::kSelect) {
    for (const auto& [nobody, law] : {std::pair(e.b, e.c), {e.c, e.b}}) {
      if (nobody->op == Op::kConstant &&
          nobody->value == reduction::kPeerNull) {
        return FromExpression(*law);
      }
    }
    return std::nullopt;
  }
  const Expression& sum = e.op == Op::kRemainder ? *e.a : e;
  if (sum.op != Op::kAdd && sum.op != Op::kSubtract) return std::nullopt;
  if (IsFeature(*sum.a, Kind::kRank)) {
    return Distance{Distance::kAllRanks, sum.op == Op::kAdd
                                             ? sum.b
                                             : AffineExpression(-1, sum.b, 0)};
  }
  if (sum.op == Op::kAdd && IsFeature(*sum.b, Kind::kRank)) {
    return Distance{Distance::kAllRanks, sum.a};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Distance> DistanceOf(const ScalarLaw& peer) {
  std::optional<Distance> found;
  if (peer.kind == ScalarLaw::Kind::kAffine) found = FromOwnRank(peer);
  if (peer.kind == ScalarLaw::Kind::kExpression) {
    found = FromExpression(*peer.expression);
  }
  if (!found || !UsesPlace(*found->by)) return std::nullopt;
  return found;
}

ExpressionPtr FindWhereThereIs(std::span<const Sample> samples,
                               std::span<const Distance> distances) {
  for (const Distance& distance : distances) {
    const bool all = distance.dim == Distance::kAllRanks;
    const ExpressionPtr place =
        all ? FeatureExpression(Kind::kRank)
            : FeatureExpression(Kind::kCoord, distance.dim);
    const ExpressionPtr length =
        all ? FeatureExpression(Kind::kRanks)
            : FeatureExpression(Kind::kDim, distance.dim);
    for (const int64_t factor : {1, -1}) {
      const ExpressionPtr to =
          Combine(Op::kAdd, place, AffineExpression(factor, distance.by, 0));
      for (ExpressionPtr there_is :
           {Combine(Op::kLess, to, length),
            Combine(Op::kLess, ConstantExpression(-1), to)}) {
        if (Gives(*there_is, samples)) return there_is;
      }
    }
  }
  return nullptr;
}

}  // namespace ranksight::online_model
