#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "online_model/structure/find_place_law.h"

namespace ranksight::online_model {
namespace {

using Patterns = std::span<const RankPattern>;

// Most runs within an iteration that get laws of their own.
constexpr int64_t kMostRuns = 12;

// The round of the loop around, so many iterations as one; nothing where its
// visits do not repeat the pattern.
std::optional<Round> RoundOf(const RankPattern& p, size_t loop, int step) {
  if (p.rounds[loop].iterations > Round::kMost) return std::nullopt;
  const Round round = Grouped(p.rounds[loop], step);
  const auto& values = p.pattern.period;
  if (!round.usable() || values.empty() ||
      round.Total() % int64_t(values.size()) != 0) {
    return std::nullopt;
  }
  return round;
}

// Samples of each run within an iteration of the loop, by run; nothing where
// visits of the loop do not repeat the pattern.
std::optional<std::vector<std::vector<Sample>>> RunsOf(Patterns patterns,
                                                       size_t loop, int step) {
  std::vector<std::vector<Sample>> runs;
  size_t count = 0;
  for (const RankPattern& p : patterns) {
    const auto round = RoundOf(p, loop, step);
    if (!round || round->Most() < 1 || round->Most() > kMostRuns) {
      return std::nullopt;
    }
    const auto& values = p.pattern.period;
    runs.resize(std::max(runs.size(), size_t(round->Most())));
    size_t at = 0;
    for (int64_t k = 0; k < round->iterations; ++k) {
      for (int64_t j = 0; j < round->RunsAt(k); ++j) {
        Sample s{p.where, values[at++ % values.size()]};
        s.where.position = k;
        s.where.length = round->iterations;
        runs[size_t(j)].push_back(s);
      }
    }
    if ((count += at) > kMaxPatternValues) return std::nullopt;
  }
  return runs;
}

// Samples of iterations in which all runs have one value, however many: rows of
// a block that go to the same rank. Nothing where some differ.
std::optional<std::vector<std::vector<Sample>>> AlikeInEach(Patterns patterns,
                                                            size_t loop,
                                                            int step) {
  std::vector<std::vector<Sample>> alike(1);
  for (const RankPattern& p : patterns) {
    const auto round = RoundOf(p, loop, step);
    if (!round || uint64_t(round->Total()) > kMaxPatternValues) {
      return std::nullopt;
    }
    const auto& values = p.pattern.period;
    size_t at = 0;
    for (int64_t k = 0; k < round->iterations; ++k) {
      const int64_t first = values[at % values.size()];
      for (int64_t j = 0; j < round->RunsAt(k); ++j) {
        if (values[at++ % values.size()] != first) return std::nullopt;
      }
      if (round->RunsAt(k) == 0) continue;
      Sample s{p.where, first};
      s.where.position = k;
      s.where.length = round->iterations;
      alike[0].push_back(s);
    }
  }
  if (alike[0].size() > kMaxPatternValues) return std::nullopt;
  return alike;
}

// Whether an iteration has as many runs at all sizes: otherwise laws of their
// own for each run say nothing about other sizes.
bool SameRuns(Patterns patterns, size_t loop, int step) {
  std::map<const Grid*, int64_t> most;
  for (const RankPattern& p : patterns) {
    int64_t& runs = most[p.where.grid];
    runs = std::max(runs, Grouped(p.rounds[loop], step).Most());
  }
  return std::all_of(most.begin(), most.end(), [&most](const auto& m) {
    return m.second == most.begin()->second;
  });
}

std::optional<SequenceLaw> FindInLoop(Patterns patterns,
                                      const SearchSpace& space, size_t loop,
                                      int step, SequenceLaw law) {
  const bool once = std::all_of(
      patterns.begin(), patterns.end(), [loop, step](const auto& p) {
        return p.rounds[loop].iterations <= step && p.rounds[loop].Most() <= 1;
      });
  if (once) return std::nullopt;
  auto runs = RunsOf(patterns, loop, step);
  if (!runs || !SameRuns(patterns, loop, step)) {
    runs = AlikeInEach(patterns, loop, step);
  }
  if (!runs) return std::nullopt;
  law.form = SequenceLaw::Form::kByIteration;
  law.loop = int(loop);
  law.step = step;
  for (const auto& samples : *runs) {
    const auto found = FindScalarLaw(samples, space);
    if (!found) return std::nullopt;
    law.values.push_back(*found);
  }
  if (!ExplainsAll(law, patterns)) return std::nullopt;
  return law;
}

bool LengthChanges(Patterns patterns, size_t loop) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const auto& p) {
    return p.rounds[loop].iterations != patterns[0].rounds[loop].iterations;
  });
}

}  // namespace

std::optional<SequenceLaw> FindByIteration(Patterns patterns, SearchSpace space,
                                           const SequenceLaw& law) {
  space.array = true;
  for (size_t i = patterns[0].rounds.size(); i-- > 0;) {
    if (auto found = FindInLoop(patterns, space, i, 1, law)) return found;
  }
  for (int step = 2; step <= SequenceLaw::kMostStep; ++step) {
    for (size_t i = patterns[0].rounds.size(); i-- > 0;) {
      // Otherwise each place in the loop has a law of its own.
      if (!LengthChanges(patterns, i)) continue;
      if (auto found = FindInLoop(patterns, space, i, step, law)) return found;
    }
  }
  return std::nullopt;
}

}  // namespace ranksight::online_model
