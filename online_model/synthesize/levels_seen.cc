#include "online_model/synthesize/levels_seen.h"

#include <algorithm>

#include "online_model/structure/level_conditions.h"

namespace ranksight::online_model {
namespace {

using Patterns = LevelsSeen::Patterns;

// Takes the law where it gives all patterns.
void TakeWhereAll(SequenceLaw law, Patterns patterns, SequenceLaw* trips) {
  const bool all = std::all_of(patterns.begin(), patterns.end(),
                               [&law](const RankPattern& p) {
                                 return law.At(p.where, p.rounds) == p.pattern;
                               });
  if (all) *trips = std::move(law);
}

}  // namespace

std::optional<Levels> LevelsSeen::Of(const Node* loop) const {
  const auto it = of_.find(loop);
  if (it == of_.end() || it->second.size() != 1) return std::nullopt;
  return *it->second.begin();
}

void LevelsSeen::CollectAmount(const SequenceLaw& law,
                               std::span<const Node* const> path,
                               const Node* loop) {
  std::set<Levels> found;
  for (const ScalarLaw& l : law.values) CollectLevels(l, &found, &end_);
  of_[loop].insert(found.begin(), found.end());
  if (law.form != SequenceLaw::Form::kByIteration) return;
  for (const Levels& l : found) {
    loops_[path[size_t(law.loop)]].emplace(l, law.step);
  }
}

void LevelsSeen::CollectAsElsewhere(const SequenceLaw& law, Patterns patterns,
                                    SearchSpace space,
                                    std::span<const Node* const> path,
                                    const Node* loop) {
  if (!end_ || law.values.size() < 2 || !of_[loop].empty()) return;
  std::set<Levels> known;
  for (const auto& [other, levels] : of_) {
    for (const Levels& l : levels) {
      for (const bool up : {false, true}) {
        known.insert({l.whole, up, false});
        // Without the finest level, or with one more.
        if (l.whole > 1) known.insert({l.whole / 2, up, false});
        known.insert({l.whole * 2, up, false});
      }
    }
  }
  for (const Levels& l : known) {
    space.levels = l;
    const auto found = FindSequenceLaw(patterns, space, nullptr);
    if (found) CollectAmount(*found, path, loop);
    if (!of_[loop].empty()) return;
  }
}

void LevelsSeen::CollectTrips(const SequenceLaw& trips,
                              const std::optional<Levels>& levels, int ndims) {
  for (const ScalarLaw& l : trips.values) {
    CollectCoarsest(l, &coarsest_);
    if (!levels) continue;
    const auto part = LevelPartOf(l, *levels, ndims);
    if (part) parts_from_.insert(part->first);
  }
}

void LevelsSeen::FollowLevels(const Node* loop, Patterns patterns,
                              SequenceLaw* trips) const {
  const auto it = loops_.find(loop);
  if (!trips->IsOneNumber() || it == loops_.end() || it->second.size() != 1 ||
      coarsest_.size() != 1) {
    return;
  }
  const auto& [levels, step] = *it->second.begin();
  SequenceLaw follows = *trips;
  follows.values = {
      LevelTrips(levels, trips->values[0].constant, step, *coarsest_.begin())};
  TakeWhereAll(std::move(follows), patterns, trips);
}

// From which rank on those are counted that have a part in a level.
std::set<int64_t> LevelsSeen::PartsFrom() const {
  std::set<int64_t> first = parts_from_;
  for (const Feature::Kind kind : coarsest_) {
    first.insert(kind == Feature::Kind::kCoarsestFromOne ? 1 : 0);
  }
  return first;
}

void LevelsSeen::SitOutLevels(const Node& event, const Levels& levels,
                              int ndims, Patterns patterns,
                              SequenceLaw* trips) const {
  if (!event.is_event() || patterns.empty() || patterns[0].rounds.empty()) {
    return;
  }
  const auto family = reduction::Info(event.call).family;
  const bool message = family == reduction::Family::kPointToPoint ||
                       family == reduction::Family::kCompletion;
  const std::set<int64_t> first = PartsFrom();
  if (!message || first.size() != 1) return;
  for (const ScalarLaw& l : trips->values) {
    if (LevelPartOf(l, levels, ndims)) return;
  }
  SequenceLaw follows = *trips;
  follows.form = SequenceLaw::Form::kByIteration;
  follows.loop = int(patterns[0].rounds.size()) - 1;
  follows.values = {HasPartInAll(levels, *first.begin(), ndims)};
  TakeWhereAll(std::move(follows), patterns, trips);
}

}  // namespace ranksight::online_model
