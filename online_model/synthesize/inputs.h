// The traces that laws are found on, made of those that somebody gave.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "online_model/structure/candidate_rules.h"
#include "online_model/structure/grid.h"
#include "online_model/structure/rival_rules.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// One trace for each size, ascending, all with one tree, and without what
// wildcards matched. kUsage and kNo as Extrapolate (api/extrapolate.h) says.
reduction::Result<std::vector<reduction::Trace>> AlignedInputs(
    std::span<const reduction::Trace> inputs, int64_t ranks);

// One trace for each size, ascending, without what wildcards matched, each in a
// tree of its own. kNo where repetitions have another structure.
reduction::Result<std::vector<reduction::Trace>> OneOfEachSize(
    std::span<const reduction::Trace> inputs);

// Their rank counts.
std::vector<int64_t> SizesOf(std::span<const reduction::Trace> traces);

// Rules that may have laid out the ranks of all (candidate_rules.h). peers,
// lines: of these (see_peers.h, see_lines.h). stated: as
// ExtrapolationRequest::input_dims.
std::vector<DimsRule> RulesFor(std::span<const reduction::Trace> traces,
                               std::span<const SeenPeers> peers,
                               const Shapes& lines, const Shapes& stated);

// Who made the grids of a run that the rule would give.
MadeBy WhoMade(const reduction::Meta& about, const DimsRule& rule);

// Whether the program (MPI_Cart_create), or who asks, said of each what its
// grid is.
bool IsGridStated(std::span<const reduction::Trace> traces,
                  const Shapes& stated = {});

// REQUIRES: the rule holds at the size of each.
std::vector<Grid> GridsOf(const DimsRule& rule,
                          std::span<const reduction::Trace> traces);

}  // namespace ranksight::online_model
