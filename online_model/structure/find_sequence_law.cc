#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "online_model/structure/find_place_law.h"
#include "online_model/structure/sequence_law.h"

namespace ranksight::online_model {
namespace {

using Patterns = std::span<const RankPattern>;

// Longest list whose places get laws of their own.
constexpr size_t kMaxPlaces = 4096;
// The same where lists of several lengths are repeated to one.
constexpr size_t kMixedPlaces = 12;

// Up to so many, laws for each place are taken without looking for one over
// all of them.
constexpr size_t kFewPlaces = 6;

bool SameLengths(Patterns patterns) {
  return std::all_of(patterns.begin(), patterns.end(), [&](const auto& p) {
    return p.pattern.period.size() == patterns[0].pattern.period.size();
  });
}

// Two opposite neighbours: no list of stages is shorter.
constexpr double kShortList = 4;

bool FindPrefix(Patterns patterns, const SearchSpace& space, SequenceLaw* law) {
  const size_t n = patterns[0].pattern.prefix.size();
  for (size_t k = 0; k < n; ++k) {
    std::vector<Sample> samples;
    for (const RankPattern& p : patterns) {
      if (p.pattern.prefix.size() != n) return false;
      samples.push_back({p.where, p.pattern.prefix[k]});
    }
    const auto found = FindScalarLaw(samples, space);
    if (!found) return false;
    law->prefix.push_back(*found);
  }
  return true;
}

std::optional<SequenceLaw> FindPositional(Patterns patterns,
                                          const SearchSpace& space,
                                          SequenceLaw law) {
  size_t places = 1, longest = 1;
  for (const RankPattern& p : patterns) {
    if (p.pattern.period.empty()) return std::nullopt;
    places = std::lcm(places, p.pattern.period.size());
    longest = std::max(longest, p.pattern.period.size());
    if (places > kMaxPlaces || (places > kMixedPlaces && places > longest)) {
      return std::nullopt;
    }
  }
  for (size_t k = 0; k < places; ++k) {
    std::vector<Sample> samples;
    for (const RankPattern& p : patterns) {
      samples.push_back(
          {p.where, p.pattern.period[k % p.pattern.period.size()]});
    }
    const auto found = FindScalarLaw(samples, space);
    if (!found) return std::nullopt;
    law.values.push_back(*found);
  }
  if (!ExplainsAll(law, patterns)) return std::nullopt;
  return law;
}

std::optional<SequenceLaw> FindBySlot(Patterns patterns,
                                      const SearchSpace& space,
                                      std::shared_ptr<const Neighbours> list,
                                      SequenceLaw law) {
  law.form = SequenceLaw::Form::kBySlot;
  law.list = list;
  std::vector<std::vector<Sample>> samples(list->slots.size());
  for (const RankPattern& p : patterns) {
    const std::vector<int> kept = list->Kept(p.where);
    const size_t n = p.pattern.period.size();
    if (n == 0 || kept.empty() || kept.size() % n != 0) return std::nullopt;
    for (size_t k = 0; k < kept.size(); ++k) {
      samples[size_t(kept[k])].push_back({p.where, p.pattern.period[k % n]});
    }
  }
  for (const auto& of_slot : samples) {
    const auto found = FindScalarLaw(of_slot, space);
    if (!found) return std::nullopt;
    law.values.push_back(*found);
  }
  if (!ExplainsAll(law, patterns)) return std::nullopt;
  return law;
}

std::optional<SequenceLaw> FindPeers(Patterns patterns,
                                     const SearchSpace& space,
                                     SequenceLaw law) {
  law.form = SequenceLaw::Form::kBySlot;
  law.peers = true;
  law.list = FindNeighbours(patterns, space.ndims);
  if (law.list == nullptr || !ExplainsAll(law, patterns)) return std::nullopt;
  return law;
}

}  // namespace

SequenceLaw::Support SupportOf(Patterns patterns) {
  std::set<const Grid*> runs;
  for (const RankPattern& p : patterns) runs.insert(p.where.grid);
  return {patterns.size(), runs.size()};
}

std::optional<SequenceLaw> FindSequenceLaw(
    Patterns patterns, const SearchSpace& all,
    std::shared_ptr<const Neighbours> own) {
  SearchSpace space = all;
  space.levels.reset();
  SequenceLaw law;
  law.support = SupportOf(patterns);
  if (patterns.empty() || !FindPrefix(patterns, space, &law)) {
    return std::nullopt;
  }
  if (all.levels) {
    if (auto found = FindByIteration(patterns, all, law)) return found;
  }
  // A list of neighbours is tried as a list first: where two of them are the
  // same rank, only their order in the list tells which is which.
  const bool lists = std::any_of(
      patterns.begin(), patterns.end(),
      [](const RankPattern& p) { return p.pattern.period.size() > 1; });
  if (space.ranked && lists) {
    auto found = FindPeers(patterns, space, law);
    if (found && found->cost() <= kShortList) return found;
    auto stages = FindByPlace(patterns, space, law);
    if (stages && (!found || stages->cost() < found->cost())) return stages;
    if (found) return found;
  }
  const bool same = SameLengths(patterns);
  std::optional<SequenceLaw> places;
  if (same) places = FindPositional(patterns, space, law);
  const bool few = patterns[0].pattern.period.size() <= kFewPlaces;
  if (places && few) return places;
  // Long lists and such as grow with the size: places of their own are a
  // coincidence of small sizes when a law over the place is as short.
  auto elements = lists ? FindByPlace(patterns, space, law) : std::nullopt;
  if (!same) places = FindPositional(patterns, space, law);
  if (places && (!elements || places->cost() < elements->cost())) return places;
  if (elements) return elements;
  if (!lists) {
    if (space.ranked) {
      if (auto found = FindPeers(patterns, space, law)) return found;
    }
    // Each rank may come here in one iteration only, but not all in the same.
    return FindByIteration(patterns, space, law);
  }
  if (own != nullptr) {
    if (auto found = FindBySlot(patterns, space, own, law)) return found;
  }
  for (const auto& list : space.lists) {
    if (auto found = FindBySlot(patterns, space, list, law)) return found;
  }
  return std::nullopt;
}

std::optional<SequenceLaw> FindSides(Patterns patterns, int ndims) {
  SequenceLaw law;
  law.support = SupportOf(patterns);
  for (int d = 0; d < ndims; ++d) {
    ScalarLaw side;
    side.terms = {{1, {Feature::Kind::kDim, d, nullptr}}};
    law.values.push_back(std::move(side));
  }
  if (!ExplainsAll(law, patterns)) return std::nullopt;
  return law;
}

}  // namespace ranksight::online_model
