#include "online_model/structure/find_there.h"

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "online_model/structure/expression.h"

namespace ranksight::online_model {

namespace {

// By rank and by its place of several; nothing where one has two values.
std::optional<std::vector<std::vector<Sample>>> ByPlaces(
    std::span<const Sample> samples, int64_t each) {
  std::vector<std::map<std::pair<const Grid*, int64_t>, Sample>> others(
      static_cast<size_t>(each));
  for (const Sample& s : samples) {
    auto there = s.where.There(each);
    if (!there) return std::nullopt;
    auto& of_place = others[each > 1 ? size_t(there->position) : 0];
    there->position = there->length = 0;
    const auto [it, added] = of_place.try_emplace({there->grid, there->rank},
                                                  Sample{*there, s.value});
    if (!added && it->second.value != s.value) return std::nullopt;
  }
  std::vector<std::vector<Sample>> places;
  for (const auto& of_place : others) {
    auto& of_ranks = places.emplace_back();
    for (const auto& [rank, sample] : of_place) of_ranks.push_back(sample);
    if (of_ranks.empty()) return std::nullopt;
  }
  return places;
}

// The laws of a rank's places as one.
std::optional<ScalarLaw> InOne(const std::vector<ScalarLaw>& laws) {
  if (laws.size() == 1) return laws[0];
  ExpressionPtr all;
  for (size_t i = laws.size(); i-- > 0;) {
    ExpressionPtr e = ExpressionOf(laws[i]);
    if (e == nullptr) return std::nullopt;
    all = all == nullptr
              ? std::move(e)
              : SelectExpression(
                    Combine(Expression::Op::kEqual,
                            FeatureExpression(Feature::Kind::kPosition),
                            ConstantExpression(int64_t(i))),
                    std::move(e), std::move(all));
  }
  return OfExpression(std::move(all));
}

}  // namespace

std::optional<ScalarLaw> FindThere(std::span<const Sample> samples,
                                   const SearchSpace& space, int64_t each) {
  const auto places = ByPlaces(samples, each);
  if (!places) return std::nullopt;
  SearchSpace plain = space;
  plain.array = false;
  std::vector<ScalarLaw> laws;
  for (const auto& of_ranks : *places) {
    const auto found = FindScalarLaw(of_ranks, plain);
    if (!found) return std::nullopt;
    laws.push_back(*found);
  }
  const auto law_there = InOne(laws);
  if (!law_there) return std::nullopt;
  ScalarLaw law;
  law.kind = ScalarLaw::Kind::kThere;
  law.constant = each > 1 ? each : 0;
  law.otherwise = std::make_shared<const ScalarLaw>(*law_there);
  return law;
}

std::vector<ExpressionPtr> PlacesThere(const ScalarLaw& law) {
  std::vector<ExpressionPtr> places;
  if (law.kind != ScalarLaw::Kind::kThere) return places;
  ExpressionPtr rest = ExpressionOf(*law.otherwise);
  for (int64_t i = 1; rest != nullptr && i < law.each(); ++i) {
    if (rest->op != Expression::Op::kSelect) return {};
    places.push_back(rest->b);
    rest = rest->c;
  }
  if (rest == nullptr) return {};
  places.push_back(std::move(rest));
  return places;
}

}  // namespace ranksight::online_model
