#include "online_model/structure/find_place_law.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "online_model/structure/find_there.h"

namespace ranksight::online_model {
namespace {

using Patterns = std::span<const RankPattern>;

// Longest list whose values some ranks see in part only.
constexpr int64_t kMostShared = 4096;

// Adds the values of lists of these lengths, one after the other; false where
// there are none or too many.
bool AddElements(const RankPattern& p, const std::vector<int64_t>& lengths,
                 std::vector<Sample>* elements) {
  const auto& values = p.pattern.period;
  size_t at = 0;
  for (const int64_t n : lengths) {
    if (n == 0) continue;
    if (values.empty() || elements->size() + size_t(n) > kMaxPatternValues) {
      return false;
    }
    for (int64_t k = 0; k < n; ++k) {
      Sample s{p.where, values[at++ % values.size()]};
      s.where.position = k;
      s.where.length = n;
      elements->push_back(s);
    }
  }
  return true;
}

// The patterns as lists of the given length; nothing where that is no
// multiple of the period.
std::optional<std::vector<Sample>> ElementsOf(Patterns patterns,
                                              const ScalarLaw& length) {
  std::vector<Sample> elements;
  for (const RankPattern& p : patterns) {
    const auto& values = p.pattern.period;
    const int64_t n = length.At(p.where);
    if (n < 1 || values.empty() || n % int64_t(values.size()) != 0 ||
        !AddElements(p, {n}, &elements)) {
      return std::nullopt;
    }
  }
  return elements;
}

// How long a list is, which is no rank though its values are, and nothing that
// is left of a whole: some of those have few small lengths by chance.
std::optional<ScalarLaw> FindLength(std::span<const Sample> lengths,
                                    SearchSpace space) {
  space.ranked = false;
  space.rests = false;
  space.partner = nullptr;
  return FindScalarLaw(lengths, space);
}

std::optional<SequenceLaw> FindWithLength(Patterns patterns, SearchSpace space,
                                          const ScalarLaw& length,
                                          SequenceLaw law) {
  const auto elements = ElementsOf(patterns, length);
  if (!elements) return std::nullopt;
  law.form = SequenceLaw::Form::kByElement;
  space.array = true;
  const auto element = FindScalarLaw(*elements, space);
  if (!element) return std::nullopt;
  law.length = length;
  law.values = {*element};
  if (!ExplainsAll(law, patterns)) return std::nullopt;
  return law;
}

// All ranks of a run go through lists of one length, of which some see only a
// part that repeats itself: whoever takes no part sees nothing but zeros. False
// where they have one length each as it is, or none together.
bool ShareLengths(std::vector<Sample>* sizes) {
  std::map<const Grid*, int64_t> shared;
  for (const Sample& s : *sizes) {
    int64_t& length = shared.try_emplace(s.where.grid, 1).first->second;
    length = std::lcm(length, s.value);
    if (length > kMostShared) return false;
  }
  bool changed = false;
  for (Sample& s : *sizes) {
    changed |= std::exchange(s.value, shared[s.where.grid]) != s.value;
  }
  return changed;
}

std::optional<SequenceLaw> FindByElement(Patterns patterns,
                                         const SearchSpace& space,
                                         const SequenceLaw& law) {
  for (const ScalarLaw& length : space.lengths) {
    if (auto found = FindWithLength(patterns, space, length, law)) return found;
  }
  std::vector<Sample> sizes;
  for (const RankPattern& p : patterns) {
    sizes.push_back({p.where, int64_t(p.pattern.period.size())});
  }
  if (const auto length = FindLength(sizes, space)) {
    return FindWithLength(patterns, space, *length, law);
  }
  if (!ShareLengths(&sizes)) return std::nullopt;
  const auto length = FindLength(sizes, space);
  if (!length) return std::nullopt;
  return FindWithLength(patterns, space, *length, law);
}

// Lists over all ranks, or all but the own, again and again; or an array for
// each of them, as of the sides of its block.
std::optional<SequenceLaw> FindOverRanks(Patterns patterns,
                                         const SearchSpace& space,
                                         SequenceLaw law) {
  law.form = SequenceLaw::Form::kByElement;
  // What an array has for each rank stands in a row.
  const bool arrays = patterns[0].lengths.size() == 1;
  const int64_t each = arrays ? patterns[0].lengths[0] : 1;
  if (each < 1 || each > kMostPlacesEach) return std::nullopt;
  law.length.terms = {{each, {Feature::Kind::kRanks, 0, nullptr}}};
  for (const int64_t own : {1, 0}) {
    law.length.constant = -own * each;
    const auto elements = ElementsOf(patterns, law.length);
    if (!elements) continue;
    const auto there = FindThere(*elements, space, each);
    if (!there) continue;
    law.values = {*there};
    if (ExplainsAll(law, patterns)) return law;
  }
  return std::nullopt;
}

// Most arrays that a call has in turn.
constexpr size_t kMostTurns = 8;
// Most parts of a list that have a law each.
constexpr size_t kMostParts = 4;

// How many arrays in turn have a law each: until the values of every rank, and
// the lengths of its arrays, begin again. 0 where those are too many.
size_t TurnsOf(Patterns patterns) {
  size_t turns = 1;
  for (const RankPattern& p : patterns) {
    const auto& lengths = p.lengths;
    const int64_t once =
        std::accumulate(lengths.begin(), lengths.end(), int64_t{0});
    if (once == 0) continue;
    const auto values = int64_t(p.pattern.period.size());
    const size_t times = size_t(std::lcm(values, once) / once);
    if (times > kMostTurns || lengths.size() > kMostTurns) return 0;
    turns = std::lcm(turns, times * lengths.size());
    if (turns > kMostTurns) return 0;
  }
  return turns;
}

// The lengths of so many arrays.
std::vector<int64_t> LengthsOf(const RankPattern& p, size_t arrays) {
  std::vector<int64_t> lengths;
  for (size_t i = 0; i < arrays; ++i) {
    lengths.push_back(p.lengths[i % p.lengths.size()]);
  }
  return lengths;
}

// A law for each array in turn, over the place in it and its length.
std::optional<SequenceLaw> FindInTurn(Patterns patterns,
                                      const SearchSpace& space, size_t turns,
                                      SequenceLaw law) {
  std::vector<std::vector<Sample>> samples(turns);
  for (const RankPattern& p : patterns) {
    if (p.lengths.empty()) return std::nullopt;
    std::vector<Sample> all;
    const auto lengths = LengthsOf(p, turns);
    if (!AddElements(p, lengths, &all)) return std::nullopt;
    size_t at = 0;
    for (size_t i = 0; i < turns; ++i) {
      for (int64_t k = 0; k < lengths[i]; ++k) samples[i].push_back(all[at++]);
    }
  }
  law.values.clear();
  for (const auto& of_turn : samples) {
    const auto found = FindScalarLaw(of_turn, space);
    if (!found) return std::nullopt;
    law.values.push_back(*found);
  }
  if (!ExplainsAll(law, patterns)) return std::nullopt;
  return law;
}

// One law over the place in the array of a call, and the array's length; or one
// for each array in turn.
std::optional<SequenceLaw> FindInArray(Patterns patterns, SearchSpace space,
                                       SequenceLaw law) {
  law.form = SequenceLaw::Form::kByPlace;
  space.array = true;
  std::vector<Sample> elements;
  for (const RankPattern& p : patterns) {
    if (!AddElements(p, p.lengths, &elements)) return std::nullopt;
  }
  const auto element = FindScalarLaw(elements, space);
  if (element) {
    law.values = {*element};
    if (ExplainsAll(law, patterns)) return law;
  }
  const size_t turns = TurnsOf(patterns);
  if (turns < 2) return std::nullopt;
  return FindInTurn(patterns, space, turns, law);
}

// How many rows 1, 2, 3, ... have so many places in all.
std::optional<int64_t> RowCountOf(size_t places) {
  const auto rows = int64_t(std::sqrt(2.0 * double(places)));
  if (rows * (rows + 1) / 2 != int64_t(places)) return std::nullopt;
  return rows;
}

// Rows each longer or shorter by one than the row before: stages within stages,
// as of a bitonic sort, and all pairs.
std::optional<SequenceLaw> FindInRows(Patterns patterns, SearchSpace space,
                                      SequenceLaw law) {
  law.form = SequenceLaw::Form::kByRows;
  std::vector<Sample> counts;
  for (const RankPattern& p : patterns) {
    const auto count = RowCountOf(p.pattern.period.size());
    if (!count) return std::nullopt;
    counts.push_back({p.where, *count});
  }
  const auto count = FindLength(counts, space);
  if (!count) return std::nullopt;
  law.length = *count;
  space.array = true;
  for (const bool falling : {false, true}) {
    std::vector<Sample> elements;
    for (size_t i = 0; i < patterns.size(); ++i) {
      const auto rows = RowsOf(counts[i].value, falling);
      if (!AddElements(patterns[i], rows, &elements)) return std::nullopt;
    }
    const auto element = FindScalarLaw(elements, space);
    if (!element) continue;
    law.values = {*element};
    law.falling = falling;
    if (ExplainsAll(law, patterns)) return law;
  }
  return std::nullopt;
}

// The laws of so many parts of that length each, in turn.
std::optional<SequenceLaw> FindInParts(Patterns patterns,
                                       const SearchSpace& space, size_t parts,
                                       const ScalarLaw& length,
                                       SequenceLaw law) {
  std::vector<RankPattern> rows(patterns.begin(), patterns.end());
  for (RankPattern& p : rows) {
    const int64_t n = length.At(p.where);
    const size_t values = p.pattern.period.size();
    p.lengths = PartsOf(parts, n);
    if (p.lengths.empty() || values == 0) return std::nullopt;
    if (size_t(n) * parts % values != 0) return std::nullopt;
  }
  law.form = SequenceLaw::Form::kByParts;
  law.length = length;
  return FindInTurn(rows, space, parts, law);
}

// Lists of a few parts of one length, of which each has a law: what is asked of
// all neighbours first and then of all of them once more, as requests for
// receives that are started before those for sends; or what a root has for all
// ranks along one side, and then along the next.
std::optional<SequenceLaw> FindInParts(Patterns patterns, SearchSpace space,
                                       const SequenceLaw& law) {
  space.array = true;
  for (size_t parts = 2; parts <= kMostParts; ++parts) {
    for (const ScalarLaw& length : space.lengths) {
      auto found = FindInParts(patterns, space, parts, length, law);
      if (found) return found;
    }
    std::vector<Sample> lengths;
    for (const RankPattern& p : patterns) {
      const size_t values = p.pattern.period.size();
      if (values % parts != 0) break;
      lengths.push_back({p.where, int64_t(values / parts)});
    }
    // Lists of one length on all ranks have places of their own.
    const bool differ = std::any_of(
        lengths.begin(), lengths.end(),
        [&](const Sample& s) { return s.value != lengths[0].value; });
    if (lengths.size() != patterns.size() || !differ) continue;
    const auto length = FindLength(lengths, space);
    if (!length) continue;
    auto found = FindInParts(patterns, space, parts, *length, law);
    if (found) return found;
  }
  return std::nullopt;
}

// Values that are each repeated some times, as when a root takes from each rank
// as many rows as that has: a law of the values, and one of how often.
std::optional<SequenceLaw> FindInRuns(Patterns patterns, SearchSpace space,
                                      SequenceLaw law) {
  law.form = SequenceLaw::Form::kByRuns;
  std::vector<Sample> counts, values, times;
  for (const RankPattern& p : patterns) {
    const auto& list = p.pattern.period;
    std::vector<std::pair<int64_t, int64_t>> runs;
    for (const int64_t v : list) {
      if (runs.empty() || runs.back().first != v) runs.push_back({v, 0});
      ++runs.back().second;
    }
    counts.push_back({p.where, int64_t(runs.size())});
    for (size_t k = 0; k < runs.size(); ++k) {
      Sample s{p.where, runs[k].first};
      s.where.position = int64_t(k);
      s.where.length = int64_t(runs.size());
      values.push_back(s);
      s.value = runs[k].second;
      times.push_back(s);
    }
  }
  // Lists without any repetition are no runs.
  const bool repeated = std::any_of(
      times.begin(), times.end(), [](const Sample& s) { return s.value > 1; });
  if (!repeated || values.size() > kMaxPatternValues) return std::nullopt;
  const auto count = FindLength(counts, space);
  if (!count) return std::nullopt;
  law.length = *count;
  space.array = true;
  const auto value = FindScalarLaw(values, space);
  if (!value) return std::nullopt;
  space.ranked = false;
  const auto often = FindScalarLaw(times, space);
  if (!often) return std::nullopt;
  law.values = {*value, *often};
  if (!ExplainsAll(law, patterns)) return std::nullopt;
  return law;
}

// Over the place in a loop whose visits differ in length: a message in pieces
// for each neighbour, of which one takes fewer than the other.
std::optional<SequenceLaw> FindByVisit(Patterns patterns,
                                       const SearchSpace& space,
                                       const SequenceLaw& law) {
  for (size_t loop = patterns[0].rounds.size(); loop-- > 0;) {
    std::vector<RankPattern> rows(patterns.begin(), patterns.end());
    bool differ = false;
    for (RankPattern& p : rows) {
      const Round& round = p.rounds[loop];
      const bool once = round.visits.empty() && round.usable() &&
                        round.runs.empty() && round.each == 1;
      // Or each second visit is like the first: two buffers in turn.
      const auto values = int64_t(p.pattern.period.size());
      const bool in_turn = once && round.iterations > 1 &&
                           values > round.iterations &&
                           values % round.iterations == 0;
      differ = differ || in_turn || !round.visits.empty();
      p.lengths = once || !round.visits.empty() ? VisitsOf(round)
                                                : std::vector<int64_t>();
    }
    if (!differ) continue;
    auto found = FindInArray(rows, space, law);
    if (!found) continue;
    found->form = SequenceLaw::Form::kByVisit;
    found->loop = int(loop);
    if (ExplainsAll(*found, patterns)) return found;
  }
  return std::nullopt;
}

}  // namespace

bool ExplainsAll(const SequenceLaw& law, Patterns patterns) {
  return std::all_of(patterns.begin(), patterns.end(),
                     [&law](const RankPattern& p) {
                       return law.At(p.where, p.rounds, p.lengths) == p.pattern;
                     });
}

std::optional<SequenceLaw> FindByPlace(Patterns patterns,
                                       const SearchSpace& space,
                                       const SequenceLaw& law) {
  const bool changing =
      std::any_of(patterns.begin(), patterns.end(),
                  [](const RankPattern& p) { return p.lengths.size() > 1; });
  if (changing) return FindInArray(patterns, space, law);
  auto stages = FindByIteration(patterns, space, law);
  // What a loop has in its stages a loop around them may have in all of them.
  auto rows = stages ? FindInRows(patterns, space, law) : std::nullopt;
  if (rows && rows->cost() < stages->cost()) return rows;
  if (stages && stages->values.size() == 1) return stages;
  auto list = FindByElement(patterns, space, law);
  // The values of a short period are as long a list as the call says.
  if (!list && !patterns[0].lengths.empty()) {
    list = FindInArray(patterns, space, law);
  }
  if (stages && (!list || stages->cost() < list->cost())) return stages;
  if (!list) list = FindOverRanks(patterns, space, law);
  if (!list) list = FindInRows(patterns, space, law);
  if (!list) list = FindInRuns(patterns, space, law);
  if (!list) list = FindInParts(patterns, space, law);
  return list ? list : FindByVisit(patterns, space, law);
}

}  // namespace ranksight::online_model
