#include "online_model/structure/find_beside.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "online_model/structure/evidence.h"
#include "online_model/structure/find_affine.h"
#include "online_model/structure/find_border.h"

namespace ranksight::online_model {

using Samples = std::span<const Sample>;

namespace {

// One value on some ranks, where the condition holds, and a law on the others.
std::optional<ScalarLaw> FindBeside(Samples same, Samples others,
                                    Feature::Kind condition,
                                    const SearchSpace& space,
                                    const LawSearch& search) {
  const auto value = FindConstant(same);
  if (!value) return std::nullopt;
  const auto elsewhere = search(others, space);
  if (!elsewhere) return std::nullopt;
  ScalarLaw law;
  law.kind = ScalarLaw::Kind::kGuarded;
  law.constant = value->constant;
  law.condition = {condition, 0, nullptr};
  law.otherwise = std::make_shared<const ScalarLaw>(*elsewhere);
  return law;
}

// What one rank has can follow the size alone: as if all had it, for searches
// that ask for every part of a line.
std::vector<Sample> OnAllRanks(Samples of_one) {
  std::vector<Sample> all;
  for (const Sample& s : of_one) {
    for (int64_t r = 0; r < s.where.ranks(); ++r) {
      Context there(*s.where.grid, r);
      there.position = s.where.position;
      there.length = s.where.length;
      all.push_back({there, s.value});
    }
  }
  return all;
}

}  // namespace

std::optional<ScalarLaw> FindBesideRoot(Samples samples,
                                        const SearchSpace& space,
                                        const LawSearch& search) {
  using Kind = Feature::Kind;
  std::vector<Sample> root, others;
  for (const Sample& s : samples) {
    (s.where.rank == 0 ? root : others).push_back(s);
  }
  if (root.empty() || others.empty()) return std::nullopt;
  if (auto law = FindBeside(root, others, Kind::kZeroRank, space, search))
    return law;
  // A rank alone has no others, and what it has would be looked for again.
  const auto is_alone = [](const Sample& s) { return s.where.ranks() == 1; };
  if (std::any_of(root.begin(), root.end(), is_alone)) return std::nullopt;
  return FindBeside(others, OnAllRanks(root), Kind::kOtherRank, space, search);
}

std::optional<ScalarLaw> FindBesideEnd(Samples samples,
                                       const SearchSpace& space,
                                       Feature::Kind end,
                                       const LawSearch& search) {
  // What all have alike would be looked for again, on and on.
  if (DependOnSizeOnly(samples)) return std::nullopt;
  const ExpressionPtr is_end = FeatureExpression(end);
  std::vector<Sample> of_end, others;
  for (const Sample& s : samples) {
    (is_end->At(s.where) == 1 ? of_end : others).push_back(s);
  }
  const auto is_alone = [](const Sample& s) { return s.where.ranks() == 1; };
  if (of_end.empty() || others.empty() || std::ranges::any_of(of_end, is_alone))
    return std::nullopt;
  // Short, lest all that has no law is looked for twice.
  const auto there = FindSimple(of_end, FeaturesFor(samples, space));
  const ExpressionPtr a = there ? ExpressionOf(*there) : nullptr;
  if (a == nullptr) return std::nullopt;
  const auto elsewhere = search(others, space);
  const ExpressionPtr b = elsewhere ? ExpressionOf(*elsewhere) : nullptr;
  if (b == nullptr) return std::nullopt;
  ScalarLaw law = OfExpression(SelectExpression(is_end, a, b));
  return Fits(law, samples) ? std::optional(law) : std::nullopt;
}

std::optional<ScalarLaw> FindAtBorder(Samples samples, const SearchSpace& space,
                                      const LawSearch& search) {
  if (space.array || AreConditions(samples)) return std::nullopt;
  if (auto size = FindBorderSize(samples, space.ndims)) {
    return OfExpression(std::move(size));
  }
  std::vector<Sample> has_some, some;
  for (const Sample& s : samples) {
    has_some.push_back({s.where, s.value != 0});
    if (s.value != 0) some.push_back(s);
  }
  const ExpressionPtr border = FindBorder(has_some, space.ndims);
  if (border == nullptr) return std::nullopt;
  const auto there = search(some, space);
  const ExpressionPtr e = there ? ExpressionOf(*there) : nullptr;
  if (e == nullptr) return std::nullopt;
  return OfExpression(SelectExpression(border, e, ConstantExpression(0)));
}

}  // namespace ranksight::online_model
