// Which rules may have laid the ranks of some runs on grids.
//
// Thread-safety: pure functions. Complexity: some thousand rules, each asked
// for the shape at each size.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "online_model/structure/dims_rule.h"
#include "online_model/structure/peers_on_grid.h"

namespace ranksight::online_model {

// Shapes by number of ranks.
using Shapes = std::map<int64_t, std::vector<int64_t>>;

// Rules that hold at every size, simplest first; those first by which most is
// saved in saying who a peer is, as it is next to the rank. Last of the rules
// by the sides of a mesh, which are many, those alone that save more than all
// these. `recorded` has the dims that the program gave MPI_Cart_create, where
// it did: rules that give those come first, and when none does, the recorded
// shapes are a rule themselves. peers: one for each size, or none. by_mpi: how
// many sides the grids have that MPI_Dims_create made at all sizes; where it
// made any, the grid is one of them, or a line. lines: the shapes that the
// program's communicators show, of all sizes or none: rules that give those
// come first, and where none does, the shapes are the last rule.
std::vector<DimsRule> CandidateRules(const std::vector<int64_t>& sizes,
                                     const Shapes& recorded,
                                     std::span<const SeenPeers> peers,
                                     const std::set<int>& by_mpi = {},
                                     const Shapes& lines = {});

// Rules of more sides by which all peers are next to their ranks, where by this
// one some are further away: two sides of theirs may be one here. Those alone
// that give different shapes. Sides are taken for rings.
// REQUIRES: the rule holds at all sizes.
std::vector<DimsRule> NearerRules(const DimsRule& rule,
                                  const std::vector<int64_t>& sizes,
                                  std::span<const SeenPeers> peers);

}  // namespace ranksight::online_model
