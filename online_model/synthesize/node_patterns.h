// The same node in every trace, and what a parameter of it is on every rank.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "online_model/structure/sequence_law.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// The same node in every trace.
using Nodes = std::vector<const reduction::Node*>;
// What the loop around is for each rank of each trace.
struct Parent {
  uint64_t iterations = 0;
  Rounds rounds;
};
using Parents = std::vector<std::vector<Parent>>;

Nodes ChildOf(const Nodes& nodes, size_t c);

// Patterns of a parameter on every rank that has values; nothing when one has
// no pattern. rounds: of the node, where laws over them are to be found. whole:
// patterns that WholeListOf gives.
// REQUIRES: the grids, one for each trace, outlive the patterns.
std::optional<std::vector<RankPattern>> PatternsOf(
    const Nodes& nodes, std::span<const Grid> grids, size_t param,
    const Parents* rounds = nullptr, bool whole = false);

// The lengths that an array has in turn, for each rank's pattern of it; the
// values of one call, (4 3 3 3), are then one list, not a start and what
// repeats behind it. patterns: those that PatternsOf gives of it.
void AddLengths(const Nodes& nodes, std::span<const Grid> grids,
                reduction::Param array, std::vector<RankPattern>* patterns);

}  // namespace ranksight::online_model
