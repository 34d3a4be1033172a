#include "online_model/structure/find_by_places.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "online_model/structure/find_affine.h"
#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

using Samples = std::span<const Sample>;
using Kind = Feature::Kind;
using Op = Expression::Op;

// Most places until the first law has its turn again: one for each side, and
// both ways along each.
constexpr int64_t kMostTurns = 6;

// By run and rank.
using Values = std::map<std::pair<const Grid*, int64_t>, std::vector<int64_t>>;

// Of each rank, by place; empty where a rank comes to no place, or several
// times.
Values ValuesOf(Samples samples) {
  Values all;
  for (const Sample& s : samples) {
    auto& values = all[{s.where.grid, s.where.rank}];
    if (s.where.position != int64_t(values.size())) return {};
    values.push_back(s.value);
  }
  return all;
}

// After so many places every rank has its values again, all of them twice where
// loops are longer at larger sizes; 0: never.
int64_t TurnsOf(const Values& all) {
  size_t longest = 0, shortest = SIZE_MAX;
  for (const auto& [rank, values] : all) {
    longest = std::max(longest, values.size());
    shortest = std::min(shortest, values.size());
  }
  for (int64_t turns = 2; turns <= kMostTurns; ++turns) {
    const auto places = size_t(longest == shortest ? turns + 1 : 2 * turns);
    if (longest < places) return 0;
    const bool repeat = std::all_of(all.begin(), all.end(), [&](const auto& r) {
      const auto& v = r.second;
      return v.size() <= size_t(turns) ||
             std::equal(v.begin() + turns, v.end(), v.begin());
    });
    if (repeat) return turns;
  }
  return 0;
}

// Also of neighbours along one side; nullptr for others.
ExpressionPtr WithSteps(const ScalarLaw& law) {
  if (law.kind != ScalarLaw::Kind::kNeighbour) return ExpressionOf(law);
  if (law.on_line && law.ndims > 1) return nullptr;
  int along = -1;
  for (int d = 0; d < law.ndims; ++d) {
    if (law.by[size_t(d)] == 0) continue;
    if (along >= 0) return nullptr;
    along = d;
  }
  if (along < 0) return FeatureExpression(Kind::kRank);
  return StepExpression(along, law.by[size_t(along)],
                        (law.periodic >> along & 1) != 0);
}

std::optional<ScalarLaw> FindByTurns(Samples samples, const SearchSpace& space,
                                     const LawSearch& search) {
  const int64_t turns = TurnsOf(ValuesOf(samples));
  if (turns == 0) return std::nullopt;
  SearchSpace at_once = space;
  at_once.array = false;
  const ExpressionPtr turn =
      Combine(Op::kRemainder, FeatureExpression(Kind::kPosition),
              ConstantExpression(turns));
  ExpressionPtr all;
  for (int64_t t = turns; t-- > 0;) {
    std::vector<Sample> once;
    std::copy_if(samples.begin(), samples.end(), std::back_inserter(once),
                 [t](const Sample& s) { return s.where.position == t; });
    const auto law = search(once, at_once);
    const ExpressionPtr e = law ? WithSteps(*law) : nullptr;
    if (e == nullptr) return std::nullopt;
    all = all == nullptr
              ? e
              : SelectExpression(
                    Combine(Op::kEqual, turn, ConstantExpression(t)), e, all);
  }
  return Gives(*all, samples) ? std::optional(OfExpression(std::move(all)))
                              : std::nullopt;
}

// The places of a loop from which on any rank has another value than at its
// place before: none where those are many, or loops are not as long at all
// sizes.
std::vector<int64_t> PlacesOfChange(Samples samples) {
  constexpr size_t kMostChanges = 12;
  std::map<std::pair<const Grid*, int64_t>, std::map<int64_t, int64_t>> ranks;
  for (const Sample& s : samples) {
    if (s.where.length != samples[0].where.length) return {};
    const auto [it, added] =
        ranks[{s.where.grid, s.where.rank}].emplace(s.where.position, s.value);
    if (!added && it->second != s.value) return {};
  }
  std::set<int64_t> changes;
  for (const auto& [rank, values] : ranks) {
    for (auto it = values.begin(), last = it++; it != values.end();
         last = it++) {
      if (it->second == last->second) continue;
      changes.insert(it->first);
      if (changes.size() > kMostChanges) return {};
    }
  }
  return {changes.begin(), changes.end()};
}

// A law for each stretch of places, between which some rank has another value:
// what a sweep has while it comes from one corner, and from the next.
std::optional<ScalarLaw> FindByStretches(Samples samples,
                                         const SearchSpace& space,
                                         const LawSearch& search) {
  // Of fewer places each a list has a law for each place.
  constexpr int64_t kLeastPlaces = 4;
  const int64_t length = samples[0].where.length;
  std::vector<int64_t> begins = PlacesOfChange(samples);
  if (begins.empty() || length < kLeastPlaces * int64_t(begins.size())) {
    return std::nullopt;
  }
  begins.insert(begins.begin(), 0);
  SearchSpace at_once = space;
  at_once.array = false;
  std::vector<ExpressionPtr> laws;
  for (size_t i = 0; i < begins.size(); ++i) {
    const int64_t end = i + 1 < begins.size() ? begins[i + 1] : length;
    std::vector<Sample> stretch;
    std::set<std::pair<const Grid*, int64_t>> seen;
    for (const Sample& s : samples) {
      const bool within =
          s.where.position >= begins[i] && s.where.position < end;
      if (!within || !seen.insert({s.where.grid, s.where.rank}).second)
        continue;
      stretch.push_back(s);
    }
    if (stretch.empty()) return std::nullopt;
    const auto law = search(stretch, at_once);
    laws.push_back(law ? ExpressionOf(*law) : nullptr);
    if (laws.back() == nullptr) return std::nullopt;
  }
  ExpressionPtr all = StretchesExpression(laws, begins);
  return Gives(*all, samples) ? std::optional(OfExpression(std::move(all)))
                              : std::nullopt;
}

}  // namespace

std::optional<ScalarLaw> FindByPlaces(Samples samples, const SearchSpace& space,
                                      const LawSearch& search) {
  if (auto law = FindByTurns(samples, space, search)) return law;
  // Ranks that change on the way are searched by find_turns.h.
  if (space.ranked) return std::nullopt;
  return FindByStretches(samples, space, search);
}

}  // namespace ranksight::online_model
