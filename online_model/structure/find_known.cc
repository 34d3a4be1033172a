#include "online_model/structure/find_known.h"

#include "online_model/structure/evidence.h"
#include "online_model/structure/find_affine.h"

namespace ranksight::online_model {

using Samples = std::span<const Sample>;

std::optional<ScalarLaw> FindCountdown(Samples samples,
                                       const SearchSpace& space) {
  using Op = Expression::Op;
  const ExpressionPtr place =
      FeatureExpression({Feature::Kind::kPosition, 0, nullptr});
  for (const auto* lists : {&space.lists, &space.posted}) {
    for (const auto& list : *lists) {
      const ExpressionPtr left =
          Combine(Op::kSubtract,
                  FeatureExpression({Feature::Kind::kDegree, 0, list}), place);
      ScalarLaw law =
          OfExpression(Combine(Op::kMaximum, left, ConstantExpression(0)));
      if (Fits(law, samples)) return law;
    }
  }
  return std::nullopt;
}

std::optional<ScalarLaw> FindByHints(Samples samples,
                                     const SearchSpace& space) {
  using Op = Expression::Op;
  const ExpressionPtr own =
      FeatureExpression({Feature::Kind::kRank, 0, nullptr});
  for (const ExpressionPtr& hint : space.hints) {
    if (!TakesHint(space, *hint)) continue;
    for (const ExpressionPtr& condition :
         {Combine(Op::kEqual, hint, own), Combine(Op::kLess, hint, own),
          Combine(Op::kLess, own, hint)}) {
      for (const bool holds : {true, false}) {
        ScalarLaw law = OfExpression(
            holds ? condition : AffineExpression(-1, condition, 1));
        if (Fits(law, samples)) return law;
      }
    }
  }
  return std::nullopt;
}

std::optional<ScalarLaw> FindOwn(Samples samples, const SearchSpace& space) {
  for (const auto& own : space.own) {
    ScalarLaw law = OfExpression(OwnExpression(own));
    if (Fits(law, samples)) return law;
  }
  if (AnySpecial(samples)) return std::nullopt;
  const Sample& first = samples[0];
  for (const auto& own : space.own) {
    const int64_t v0 = own->At(first.where);
    for (const Sample& s : samples) {
      const int64_t dv = own->At(s.where) - v0, to = s.value - first.value;
      if (v0 == kNotWhole || dv == 0) continue;
      if (dv + v0 == kNotWhole || to % dv != 0) break;
      const int64_t a = to / dv;
      ScalarLaw law = OfExpression(
          AffineExpression(a, OwnExpression(own), first.value - a * v0));
      if (a != 0 && Fits(law, samples)) return law;
      break;
    }
  }
  return std::nullopt;
}

std::optional<ScalarLaw> FindFromSaid(Samples samples,
                                      const SearchSpace& space) {
  constexpr int64_t kMostMore = 8;
  if (space.said == nullptr || space.ranked) return std::nullopt;
  for (const ExpressionPtr& part : space.said->parts()) {
    const int64_t said = part->At(samples[0].where);
    if (said == kNotWhole || said == 0) continue;
    const __int128 more = __int128(samples[0].value) - said;
    ScalarLaw law;
    if (-kMostMore <= more && more <= kMostMore) {
      law = OfExpression(AffineExpression(1, part, int64_t(more)));
    } else if (samples[0].value > 0 && samples[0].value % said == 0) {
      law = OfExpression(AffineExpression(samples[0].value / said, part, 0));
    } else {
      continue;
    }
    if (Fits(law, samples)) return law;
  }
  return std::nullopt;
}

}  // namespace ranksight::online_model
