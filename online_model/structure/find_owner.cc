#include "online_model/structure/find_owner.h"

#include <algorithm>
#include <vector>

#include "online_model/structure/cut_whole.h"
#include "online_model/structure/find_affine.h"

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;
using Samples = std::span<const Sample>;

ExpressionPtr LengthLaw() {
  return FeatureExpression({Feature::Kind::kLength, 0, nullptr});
}
ExpressionPtr PlaceLaw() {
  return FeatureExpression({Feature::Kind::kPosition, 0, nullptr});
}

// The first place of a list, of which there are several: what it has may be
// true of all.
bool SeesSeveralPlaces(Samples samples) {
  return std::any_of(samples.begin(), samples.end(), [&](const Sample& s) {
    return s.where.position != samples[0].where.position;
  });
}

// What may be asked of a place and its owner.
std::vector<ExpressionPtr> ConditionsOf(const ExpressionPtr& owner,
                                        const Line& line) {
  const ExpressionPtr own = line.PlaceLaw();
  std::vector<ExpressionPtr> conditions = {Combine(Op::kEqual, own, owner),
                                           Combine(Op::kLess, own, owner),
                                           Combine(Op::kLess, owner, own)};
  for (const int64_t by : {1, -1}) {
    const ExpressionPtr next =
        Combine(Op::kRemainder, AffineExpression(1, own, by), line.Parts());
    conditions.push_back(Combine(Op::kEqual, next, owner));
  }
  const size_t count = conditions.size();
  for (size_t i = 0; i < count; ++i) {
    conditions.push_back(AffineExpression(-1, conditions[i], 1));
  }
  return conditions;
}

ExpressionPtr FromOwner(Samples samples, const ExpressionPtr& owner,
                        const Line& line) {
  const int64_t first = owner->At(samples[0].where);
  if (first == kNotWhole) return nullptr;
  ExpressionPtr law = AffineExpression(1, owner, samples[0].value - first);
  if (Gives(*law, samples)) return law;
  if (!AreConditions(samples)) return nullptr;
  for (const ExpressionPtr& condition : ConditionsOf(owner, line)) {
    if (Gives(*condition, samples)) return condition;
  }
  return nullptr;
}

}  // namespace

ExpressionPtr FindOwner(Samples samples, const SearchSpace& space) {
  if (!space.array || !SeesSeveralPlaces(samples)) return nullptr;
  for (const Line& line : LinesOf(space)) {
    if (line.dim == kPlaceDimension) continue;
    // A loop over rows may leave out the last one.
    for (const int64_t more : {0, 1}) {
      const ExpressionPtr whole = AffineExpression(1, LengthLaw(), more);
      auto law = LawOfDivisions(space, [&](Division division) {
        const ExpressionPtr owner =
            OwnerLaw(division, whole, line.Parts(), PlaceLaw());
        return FromOwner(samples, owner, line);
      });
      if (law != nullptr) return law;
    }
  }
  return nullptr;
}

}  // namespace ranksight::online_model
