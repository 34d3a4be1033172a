#include "online_model/structure/rounds.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ranksight::online_model {
namespace {

// Equal runs as one number.
Round WithoutList(Round round) {
  const bool equal =
      std::all_of(round.runs.begin(), round.runs.end(),
                  [&](int64_t runs) { return runs == round.runs[0]; });
  if (equal) round.each = round.runs[0], round.runs.clear();
  return round;
}

Round Nested(const Round& around, const Pattern& trips) {
  const auto& list = trips.period;
  if (!around.visits.empty() && trips == Pattern{{}, {1}}) return around;
  if (!around.usable() || !trips.prefix.empty() || list.empty()) return {};
  if (around.runs.empty() && list.size() == 1) {
    return {around.iterations, around.each * list[0], {}, around.once, {}};
  }
  if (around.iterations > Round::kMost || around.Total() > Round::kMost) {
    return {};
  }
  Round inner{around.iterations, 0, {}, around.once, {}};
  size_t at = 0;
  for (int64_t k = 0; k < around.iterations; ++k) {
    int64_t runs = 0;
    for (int64_t i = 0; i < around.RunsAt(k); ++i) {
      runs += list[at];
      at = (at + 1) % list.size();
    }
    inner.runs.push_back(runs);
  }
  // Otherwise the next visit begins elsewhere in the list.
  if (at != 0 && !around.once) return {};
  return WithoutList(std::move(inner));
}

}  // namespace

int64_t Round::Total() const {
  return runs.empty() ? iterations * each
                      : std::accumulate(runs.begin(), runs.end(), int64_t{0});
}

int64_t Round::Most() const {
  return runs.empty() ? each : *std::max_element(runs.begin(), runs.end());
}

bool Round::IsWithin(uint64_t most) const {
  return iterations <= kMost && uint64_t(Most()) <= most &&
         uint64_t(Total()) <= most;
}

Round Grouped(const Round& round, int64_t step) {
  if (step == 1) return round;
  if (!round.usable() || round.iterations % step != 0) return {};
  Round grouped{round.iterations / step, round.each * step, {}, round.once, {}};
  if (round.runs.empty()) return grouped;
  for (auto at = round.runs.begin(); at != round.runs.end(); at += step) {
    grouped.runs.push_back(std::accumulate(at, at + step, int64_t{0}));
  }
  return WithoutList(std::move(grouped));
}

Rounds Within(const Rounds& rounds, const Pattern& trips) {
  Rounds inner;
  for (const Round& r : rounds) inner.push_back(Nested(r, trips));
  return inner;
}

Rounds Around(Rounds rounds, const Pattern& trips) {
  Round own;
  bool same = trips.prefix.empty();
  for (const int64_t t : trips.period) {
    if (t == 0) continue;
    same = same && (own.iterations == 0 || own.iterations == t);
    own.iterations = t;
  }
  own.each = 1;
  own.once = rounds.empty();
  if (!same) own = {};
  if (!same && trips.prefix.empty()) own.visits = trips.period;
  rounds.push_back(std::move(own));
  return rounds;
}

}  // namespace ranksight::online_model
