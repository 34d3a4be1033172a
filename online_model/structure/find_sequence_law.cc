#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <utility>

#include "online_model/structure/expression_pool.h"
#include "online_model/structure/find_affine.h"
#include "online_model/structure/find_parity.h"
#include "online_model/structure/find_place_law.h"
#include "online_model/structure/find_there.h"
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
  // What has no law may have one once the others' forms are known.
  const bool goes_on = space.forms != nullptr && places <= kFewPlaces;
  bool missing = false;
  for (size_t k = 0; k < places; ++k) {
    std::vector<Sample> samples;
    for (const RankPattern& p : patterns) {
      samples.push_back(
          {p.where, p.pattern.period[k % p.pattern.period.size()]});
    }
    const auto found = FindScalarLaw(samples, space);
    missing = missing || !found;
    if (missing && !goes_on) return std::nullopt;
    if (found) law.values.push_back(*found);
  }
  if (missing) return std::nullopt;
  if (!ExplainsAll(law, patterns)) return std::nullopt;
  return law;
}

// How many ranks on along all of them each value is, ascending.
std::vector<int64_t> RanksOn(const RankPattern& p) {
  std::vector<int64_t> on;
  for (const int64_t to : p.pattern.period) {
    on.push_back((to - p.where.rank + p.where.ranks()) % p.where.ranks());
  }
  std::ranges::sort(on);
  return on;
}

// Ranks that are as far on from all, in ascending order: a place of the list is
// another one of these at each end of the ranks. How far may follow the number
// of ranks, as half of them; neighbours are none such.
std::optional<SequenceLaw> FindAscending(Patterns patterns,
                                         const SearchSpace& space,
                                         SequenceLaw law) {
  std::map<const Grid*, std::vector<int64_t>> on;
  std::map<const Grid*, int64_t> ranks;
  std::vector<RankPattern> in_turn(patterns.begin(), patterns.end());
  for (RankPattern& p : in_turn) {
    auto& period = p.pattern.period;
    const bool fits =
        std::ranges::all_of(
            period,
            [&p](int64_t to) { return to >= 0 && to < p.where.ranks(); }) &&
        std::ranges::is_sorted(period, std::ranges::less_equal{});
    if (!fits) return std::nullopt;
    const auto known = on.try_emplace(p.where.grid, RanksOn(p)).first;
    if (RanksOn(p) != known->second) return std::nullopt;
    ++ranks[p.where.grid];
    for (size_t k = 0; k < period.size(); ++k) {
      period[k] = (p.where.rank + known->second[k]) % p.where.ranks();
    }
  }
  const bool on_all = std::ranges::all_of(
      ranks, [](const auto& run) { return run.first->ranks() == run.second; });
  if (!on_all || !SameLengths(patterns)) return std::nullopt;
  auto found = FindPositional(in_turn, space, law);
  if (!found) return std::nullopt;
  found->form = SequenceLaw::Form::kAscending;
  if (!ExplainsAll(*found, patterns)) return std::nullopt;
  return found;
}

// As if a likely law were as good as a certain one, and nobody else heard of
// it.
SearchSpace Likely(const SearchSpace& space) {
  SearchSpace likely = space;
  likely.certain = false;
  likely.cache = nullptr;
  likely.said = nullptr;
  likely.wholes = nullptr;
  return likely;
}

bool HasFewPlaces(Patterns patterns) {
  return std::all_of(patterns.begin(), patterns.end(),
                     [](const RankPattern& p) {
                       return p.pattern.period.size() <= kFewPlaces;
                     });
}

// Whether a few places have laws of their own that are not certain, but shorter
// than the one over all of them: that says by chance what two or three sizes
// leave open.
bool HasLikelierPlaces(Patterns patterns, const SearchSpace& space,
                       const SequenceLaw& law, const SequenceLaw& over_all) {
  if (!space.certain || !HasFewPlaces(patterns)) return false;
  const auto places = FindPositional(patterns, Likely(space), law);
  return places && places->cost() < over_all.cost();
}

// The other way round: many places have laws of their own, and one over all of
// them that is not certain is shorter.
bool HasLikelierWhole(Patterns patterns, const SearchSpace& space,
                      const SequenceLaw& law, const SequenceLaw& places) {
  if (!space.certain || HasFewPlaces(patterns)) return false;
  const auto over_all = FindByPlace(patterns, Likely(space), law);
  return over_all && over_all->cost() < places.cost();
}

// What a law of each rank says of the neighbour in that slot, which is one
// step away.
std::optional<ScalarLaw> FindOfNeighbour(const std::vector<Sample>& samples,
                                         const SearchSpace& space,
                                         const Neighbours& list, size_t slot) {
  const Displacement& by = list.slots[slot];
  ScalarLaw step;
  step.kind = ScalarLaw::Kind::kNeighbour;
  step.by = by;
  SearchSpace there = space;
  there.partner = list.turned || list.leaves_out() ? nullptr : PartnerOf(step);
  if (space.partner != nullptr || there.partner == nullptr) return std::nullopt;
  there.cache = std::make_shared<LawCache>();
  there.pools = std::make_shared<PoolCache>();
  return FindScalarLaw(samples, there);
}

// Of ranks that pair off by turns: whether one does something is more likely by
// its turn than by where it is.
std::optional<ScalarLaw> FindOfTurn(const std::vector<Sample>& samples,
                                    const SearchSpace& space) {
  if (samples.empty()) return std::nullopt;
  ExpressionPtr by_turn =
      FindConstant(samples) ? nullptr : FindGuardByParity(samples, space);
  return by_turn != nullptr ? OfExpression(std::move(by_turn))
                            : FindScalarLaw(samples, space);
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
  for (size_t slot = 0; slot < samples.size(); ++slot) {
    auto found = list->turned ? FindOfTurn(samples[slot], space)
                              : FindScalarLaw(samples[slot], space);
    if (!found) found = FindOfNeighbour(samples[slot], space, *list, slot);
    if (!found) return std::nullopt;
    law.values.push_back(*found);
  }
  if (!ExplainsAll(law, patterns)) return std::nullopt;
  return law;
}

// Longest loop of which each iteration gets laws of its own.
constexpr int64_t kMostLayers = 8;

// Of the values that each neighbour has in each iteration of a loop, by slot;
// empty where they are not so many.
std::vector<std::vector<Sample>> SlotsInLoop(Patterns patterns,
                                             const Neighbours& list,
                                             size_t loop) {
  std::vector<std::vector<Sample>> samples(list.slots.size());
  for (const RankPattern& p : patterns) {
    const std::vector<int> kept = list.Kept(p.where);
    const Round& round = p.rounds[loop];
    const auto& values = p.pattern.period;
    const bool each = round.usable() && round.runs.empty() && !kept.empty() &&
                      round.each == int64_t(kept.size());
    if (!each || round.iterations > Round::kMost || values.empty()) return {};
    size_t at = 0;
    for (int64_t k = 0; k < round.iterations; ++k) {
      for (const int slot : kept) {
        Sample s{p.where, values[at++ % values.size()]};
        s.where.position = k;
        s.where.length = round.iterations;
        samples[size_t(slot)].push_back(s);
      }
    }
  }
  return samples;
}

// How many iterations all have; 0 where these differ, or are too many.
int64_t LayersOf(Patterns patterns, size_t loop) {
  const int64_t layers = patterns[0].rounds[loop].iterations;
  const bool same = std::all_of(
      patterns.begin(), patterns.end(),
      [&](const auto& p) { return p.rounds[loop].iterations == layers; });
  return same && layers <= kMostLayers ? layers : 0;
}

// A value for each neighbour, and all of them again in each iteration of a loop
// around, though not the same: levels of a mesh, or fields.
std::optional<SequenceLaw> FindBySlotInLoop(
    Patterns patterns, SearchSpace space,
    std::shared_ptr<const Neighbours> list, size_t loop, SequenceLaw law) {
  law.form = SequenceLaw::Form::kBySlotInLoop;
  law.list = list;
  law.loop = int(loop);
  const auto samples = SlotsInLoop(patterns, *list, loop);
  if (samples.empty()) return std::nullopt;
  space.array = true;
  for (const auto& of_slot : samples) {
    const auto found = FindScalarLaw(of_slot, space);
    if (!found) break;
    law.values.push_back(*found);
  }
  if (law.values.size() == samples.size() && ExplainsAll(law, patterns)) {
    return law;
  }
  law.values.clear();
  space.array = false;
  for (int64_t k = 0; k < LayersOf(patterns, loop); ++k) {
    for (const auto& of_slot : samples) {
      std::vector<Sample> at;
      std::copy_if(of_slot.begin(), of_slot.end(), std::back_inserter(at),
                   [k](const Sample& s) { return s.where.position == k; });
      const auto found = FindScalarLaw(at, space);
      if (!found) return std::nullopt;
      law.values.push_back(*found);
    }
  }
  if (law.values.empty() || !ExplainsAll(law, patterns)) return std::nullopt;
  return law;
}

// Values of the neighbour that each iteration of a loop around is for, where
// the node runs in some of them: a program that sends to one neighbour and
// receives from the next. ranks: the values are the neighbours' own.
std::optional<SequenceLaw> FindByLoopSlot(
    Patterns patterns, const SearchSpace& space,
    std::shared_ptr<const Neighbours> list, size_t loop, bool ranks,
    SequenceLaw law) {
  law.form = SequenceLaw::Form::kByLoopSlot;
  law.list = list;
  law.loop = int(loop);
  law.peers = ranks;
  // Otherwise it has a value for each neighbour: FindBySlot.
  const bool skips_some = std::ranges::any_of(
      patterns,
      [loop](const RankPattern& p) { return !p.rounds[loop].runs.empty(); });
  if (!skips_some) return std::nullopt;
  std::vector<std::vector<Sample>> samples(list->slots.size());
  uint64_t left = kMaxPatternValues;
  for (const RankPattern& p : patterns) {
    const std::vector<int> kept = list->Kept(p.where);
    const Round& round = p.rounds[loop];
    const auto& values = p.pattern.period;
    const bool fits = round.usable() && round.IsWithin(left) && !kept.empty() &&
                      !values.empty() &&
                      round.iterations % int64_t(kept.size()) == 0;
    if (!fits) return std::nullopt;
    left -= uint64_t(round.Total());
    size_t at = 0;
    for (int64_t k = 0; k < round.iterations && !ranks; ++k) {
      const int slot = kept[size_t(k) % kept.size()];
      for (int64_t run = 0; run < round.RunsAt(k); ++run) {
        samples[size_t(slot)].push_back(
            {p.where, values[at++ % values.size()]});
      }
    }
  }
  for (size_t slot = 0; slot < samples.size() && !ranks; ++slot) {
    const auto found = FindScalarLaw(samples[slot], space);
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
  const auto lists = FindNeighbours(patterns, space.ndims);
  if (lists.empty()) return std::nullopt;
  law.list = lists.front();
  if (!ExplainsAll(law, patterns)) return std::nullopt;
  return law;
}

// The list of the event's own peers alone, where it is known; else all.
std::vector<std::shared_ptr<const Neighbours>> ListsFor(
    const std::shared_ptr<const Neighbours>& own, const SearchSpace& space) {
  return own != nullptr ? std::vector{own} : space.lists;
}

// A long law over the place in a list, or one for each neighbour that is
// shorter: neighbours of which ends have fewer are, on short sides, some window
// of places.
SequenceLaw ShorterBySlot(Patterns patterns, const SearchSpace& space,
                          const std::shared_ptr<const Neighbours>& own,
                          const SequenceLaw& law, SequenceLaw elements) {
  constexpr double kLong = 24;
  if (elements.cost() <= kLong) return elements;
  for (const auto& list : ListsFor(own, space)) {
    auto by_slot = FindBySlot(patterns, space, list, law);
    // Of several the first: whose turn it is comes first.
    if (by_slot && by_slot->cost() < elements.cost()) return *by_slot;
  }
  return elements;
}

std::optional<SequenceLaw> FindByLoopSlots(Patterns patterns,
                                           const SearchSpace& space,
                                           const SequenceLaw& law) {
  for (const auto& list : space.lists) {
    for (size_t loop = patterns[0].rounds.size(); loop-- > 0;) {
      auto found =
          FindByLoopSlot(patterns, space, list, loop, space.ranked, law);
      if (found) return found;
    }
  }
  return std::nullopt;
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
  if (places && !elements && lists &&
      HasLikelierWhole(patterns, space, law, *places)) {
    return std::nullopt;
  }
  if (places && (!elements || places->cost() < elements->cost())) return places;
  if (elements && !HasLikelierPlaces(patterns, space, law, *elements)) {
    return ShorterBySlot(patterns, space, own, law, std::move(*elements));
  }
  if (elements) return std::nullopt;
  if (space.ranked && lists) {
    if (auto found = FindAscending(patterns, space, law)) return found;
  }
  if (!lists) {
    if (space.ranked) {
      if (auto found = FindPeers(patterns, space, law)) return found;
    }
    // Each rank may come here in one iteration only, but not all in the same.
    if (auto found = FindByIteration(patterns, space, law)) return found;
    return FindByLoopSlots(patterns, space, law);
  }
  if (own != nullptr) {
    if (auto found = FindBySlot(patterns, space, own, law)) return found;
  }
  for (const auto& list : space.lists) {
    if (auto found = FindBySlot(patterns, space, list, law)) return found;
  }
  for (const auto& list : ListsFor(own, space)) {
    for (size_t loop = patterns[0].rounds.size(); loop-- > 0;) {
      auto found = FindBySlotInLoop(patterns, space, list, loop, law);
      if (found) return found;
    }
  }
  return FindByLoopSlots(patterns, space, law);
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

std::optional<SequenceLaw> FindSidesKept(Patterns patterns,
                                         const SequenceLaw& kept, int ndims) {
  const bool flags =
      kept.form == SequenceLaw::Form::kPositional && kept.prefix.empty() &&
      !kept.values.empty() &&
      std::all_of(kept.values.begin(), kept.values.end(),
                  [](const ScalarLaw& v) { return v.IsOneNumber(); });
  if (!flags || size_t(ndims) % kept.values.size() != 0) return std::nullopt;
  ExpressionPtr ranks;
  for (int d = 0; d < ndims; ++d) {
    // What repeats itself is kept once.
    if (kept.values[size_t(d) % kept.values.size()].constant == 0) continue;
    ExpressionPtr side = FeatureExpression(Feature::Kind::kDim, d);
    ranks = CombineNext(Expression::Op::kMultiply, std::move(ranks),
                        std::move(side));
  }
  if (ranks == nullptr) return std::nullopt;
  SequenceLaw law;
  law.support = SupportOf(patterns);
  law.values = {OfExpression(std::move(ranks))};
  if (!ExplainsAll(law, patterns)) return std::nullopt;
  return law;
}

}  // namespace ranksight::online_model
