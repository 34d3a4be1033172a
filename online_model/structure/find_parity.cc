#include "online_model/structure/find_parity.h"

#include <array>
#include <utility>
#include <vector>

#include "online_model/structure/find_affine.h"
#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

using Kind = Feature::Kind;
using Op = Expression::Op;

// Nobody beyond the end.
ExpressionPtr Open(Kind end, int index, ExpressionPtr move) {
  return SelectExpression(FeatureExpression(end, index),
                          ConstantExpression(reduction::kPeerNull),
                          std::move(move));
}

// One place on along a side, or one back.
std::vector<ExpressionPtr> Steps(int ndims, int by) {
  std::vector<ExpressionPtr> steps;
  for (int d = 0; d < ndims; ++d) {
    const ExpressionPtr move = MoveExpression(d, ConstantExpression(by));
    steps.push_back(Open(by > 0 ? Kind::kLast : Kind::kFirst, d, move));
    steps.push_back(move);
  }
  if (ndims > 1) {
    steps.push_back(
        Open(by > 0 ? Kind::kEndRank : Kind::kZeroRank, 0,
             AffineExpression(1, FeatureExpression(Kind::kRank), by)));
  }
  return steps;
}

// The mirror image of all ranks, and along each side.
std::vector<ExpressionPtr> Mirrors(int ndims) {
  const auto across = [](Kind length, Kind place, int d, int64_t by) {
    return Combine(Op::kAdd,
                   AffineExpression(1, FeatureExpression(length, d), -1),
                   AffineExpression(-by, FeatureExpression(place, d), 0));
  };
  std::vector<ExpressionPtr> mirrors{across(Kind::kRanks, Kind::kRank, 0, 1)};
  for (int d = 0; d < ndims && ndims > 1; ++d) {
    mirrors.push_back(
        MoveExpression(d, across(Kind::kDim, Kind::kCoord, d, 2)));
  }
  return mirrors;
}

std::vector<ExpressionPtr> Sums(const SearchSpace& space) {
  std::vector<ExpressionPtr> sums{FeatureExpression(Kind::kRank)};
  ExpressionPtr all;
  for (int d = 0; d < space.ndims && space.ndims > 1; ++d) {
    ExpressionPtr at = FeatureExpression(Kind::kCoord, d);
    sums.push_back(at);
    all = CombineNext(Op::kAdd, std::move(all), std::move(at));
  }
  if (all != nullptr) sums.push_back(all);
  if (!space.array) return sums;
  const size_t without = sums.size();
  for (size_t i = 0; i < without; ++i) {
    sums.push_back(
        Combine(Op::kAdd, sums[i], FeatureExpression(Kind::kPosition)));
  }
  // Whether that is odd is a bit of the rank: one more in each step, of those
  // that send half of what they have to the other half.
  for (const Kind low_bits : {Kind::kPosition, Kind::kBack}) {
    sums.push_back(Combine(Op::kShiftRight, FeatureExpression(Kind::kRank),
                           FeatureExpression(low_bits)));
  }
  return sums;
}

// Whether anything is called: never, always, but at one end, at one end alone.
std::vector<ExpressionPtr> Guards(int ndims) {
  std::vector<Feature> ends{{Kind::kEndRank, 0, nullptr},
                            {Kind::kZeroRank, 0, nullptr}};
  for (int d = 0; d < ndims && ndims > 1; ++d) {
    ends.push_back({Kind::kLast, d, nullptr});
    ends.push_back({Kind::kFirst, d, nullptr});
  }
  std::vector<ExpressionPtr> guards{ConstantExpression(0),
                                    ConstantExpression(1)};
  for (const Feature& end : ends) {
    guards.push_back(AffineExpression(-1, FeatureExpression(end), 1));
  }
  for (const Feature& end : ends) guards.push_back(FeatureExpression(end));
  return guards;
}

// The first that gives all of them.
ExpressionPtr Giving(const std::vector<ExpressionPtr>& laws,
                     std::span<const Sample> samples) {
  for (const ExpressionPtr& law : laws) {
    if (Gives(*law, samples)) return law;
  }
  return nullptr;
}

// One of `some` where a sum is even and one of `others` where it is odd, or the
// other way round. The shortest: on short sides the ends tell as much as what
// is odd does, and would hide that another sum needs no ends.
ExpressionPtr FindByParity(std::span<const Sample> samples,
                           const SearchSpace& space,
                           const std::vector<ExpressionPtr>& some,
                           const std::vector<ExpressionPtr>& others) {
  const ExpressionPtr two = ConstantExpression(2);
  ExpressionPtr shortest;
  for (const ExpressionPtr& sum : Sums(space)) {
    const ExpressionPtr parity = Combine(Op::kRemainder, sum, two);
    std::array<std::vector<Sample>, 2> by_parity;
    bool whole = true;
    for (const Sample& s : samples) {
      const int64_t odd = parity->At(s.where);
      whole = whole && odd != kNotWhole;
      if (whole) by_parity[size_t(odd)].push_back(s);
    }
    if (!whole) continue;
    // One sample of a kind has some law.
    if (by_parity[0].size() < 2 || by_parity[1].size() < 2) continue;
    for (const size_t odd : {0, 1}) {
      const auto at_some = Giving(some, by_parity[odd]);
      if (at_some == nullptr) continue;
      const auto at_others = Giving(others, by_parity[1 - odd]);
      if (at_others == nullptr) continue;
      ExpressionPtr law = odd == 1
                              ? SelectExpression(parity, at_some, at_others)
                              : SelectExpression(parity, at_others, at_some);
      if (shortest == nullptr || law->cost() < shortest->cost()) {
        shortest = std::move(law);
      }
      break;
    }
  }
  return shortest;
}

}  // namespace

ExpressionPtr FindNextByParity(std::span<const Sample> samples,
                               const SearchSpace& space) {
  ExpressionPtr law = FindByParity(samples, space, Steps(space.ndims, 1),
                                   Steps(space.ndims, -1));
  if (law == nullptr) return nullptr;
  // On sides of two and four, who pairs off around them is the mirror image.
  for (const ExpressionPtr& mirror : Mirrors(space.ndims)) {
    if (Gives(*mirror, samples)) return AgreedExpression(law, mirror);
  }
  return law;
}

ExpressionPtr FindGuardByParity(std::span<const Sample> samples,
                                const SearchSpace& space) {
  for (const Sample& s : samples) {
    if (s.value != 0 && s.value != 1) return nullptr;
  }
  const std::vector<ExpressionPtr> guards = Guards(space.ndims);
  return FindByParity(samples, space, guards, guards);
}

}  // namespace ranksight::online_model
