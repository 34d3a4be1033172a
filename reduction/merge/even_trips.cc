#include "reduction/merge/even_trips.h"

#include <map>
#include <optional>

#include "reduction/api/contract.h"
#include "reduction/api/pause.h"

namespace ranksight::reduction {
namespace {

// A rank that runs one child only.
struct Single {
  Node* child;
  uint64_t visits;
  int64_t trips, inner;  // of the loop, and of the child in each iteration
};

struct Trips {
  std::map<int64_t, Single> singles;
  // What ranks with several children have; nothing where these differ.
  std::map<int64_t, std::optional<int64_t>> by_run;
  bool even = true;  // of the singles: the same number every time
};

std::optional<int64_t> SameOf(const Section& values) {
  if (values.size() == 0 || values.Min() != values.Max()) return std::nullopt;
  return values.Min();
}

using RunBounds = std::vector<std::pair<int64_t, int64_t>>;

int64_t RunOf(const RunBounds& runs, int64_t rank) {
  RANKSIGHT_REQUIRE(rank >= 0);
  int64_t run = 0;
  while (rank >= runs[size_t(run)].second) ++run;
  return run;
}

Trips TripsOf(const RunBounds& runs, Node* loop) {
  RANKSIGHT_REQUIRE(!loop->is_event());
  std::map<int64_t, std::vector<Node*>> children;
  for (Node& child : loop->children) {
    for (const int64_t r : child.trips.Ranks().Expand()) {
      children[r].push_back(&child);
    }
  }
  Trips all;
  for (const auto& [rank, section] : loop->trips.ByRank()) {
    Pause();
    const auto& below = children[rank];
    const auto trips = SameOf(section);
    // With several things in it, or none, nothing says that trips could be
    // divided otherwise.
    if (below.size() != 1) {
      const auto [it, added] = all.by_run.try_emplace(RunOf(runs, rank), trips);
      if (!added && it->second != trips) it->second = std::nullopt;
      continue;
    }
    const auto inner = SameOf(below[0]->trips.At(rank));
    all.even = all.even && trips && inner;
    if (all.even) {
      all.singles[rank] = {below[0], section.size(), *trips, *inner};
    }
  }
  return all;
}

// What the ranks of a run should have.
std::optional<int64_t> TripsIn(const Trips& all, int64_t run) {
  const auto own = all.by_run.find(run);
  if (own != all.by_run.end()) return own->second;
  std::optional<int64_t> common;
  for (const auto& [other, trips] : all.by_run) {
    if (!trips || (common && *common != *trips)) return std::nullopt;
    common = trips;
  }
  return common;
}

using Changes = std::map<int64_t, Section>;

void Replace(const Changes& by_rank, Parameter* trips) {
  Parameter changed;
  for (const auto& [rank, section] : trips->ByRank()) {
    const auto it = by_rank.find(rank);
    changed.Add(rank, it == by_rank.end() ? section : it->second, false);
  }
  *trips = std::move(changed);
}

void EvenLoop(const RunBounds& runs, Node* loop) {
  const Trips all = TripsOf(runs, loop);
  if (!all.even || all.singles.empty() || all.by_run.empty()) return;
  Changes outer;
  std::map<Node*, Changes> inner;
  for (const auto& [rank, single] : all.singles) {
    const auto trips = TripsIn(all, RunOf(runs, rank));
    if (!trips || *trips < 1) return;
    if (*trips == single.trips) continue;
    // The product stays: fewer iterations outside are more inside.
    const int64_t total = single.trips * single.inner;
    if (total < 1 || total % *trips != 0) return;
    outer[rank] = Section::Constant(*trips, single.visits);
    inner[single.child][rank] =
        Section::Constant(total / *trips, single.visits * uint64_t(*trips));
  }
  if (outer.empty()) return;
  Replace(outer, &loop->trips);
  for (const auto& [child, changes] : inner) Replace(changes, &child->trips);
}

}  // namespace

void EvenTrips(const RunBounds& runs, Node* loop) {
  if (loop->is_event()) return;
  // The root has no trips.
  if (!loop->trips.empty()) EvenLoop(runs, loop);
  for (Node& child : loop->children) EvenTrips(runs, &child);
}

}  // namespace ranksight::reduction
