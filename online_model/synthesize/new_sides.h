// Sides of the grid that the largest run alone shows at that length.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "online_model/structure/grid.h"
#include "online_model/synthesize/node_law.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// Whether some side is longer in the last of these grids than in all others,
// which have it in two lengths at most. from_one: also where that is one rank
// in all others, of which nothing but the program says that it is a side.
bool HasNewSide(std::span<const Grid> grids, bool from_one);

// Ok where laws of all runs are those of all but the largest, but for sides
// that are longer in that than in any other: on all grids tried whose new sides
// are as in those runs, the others longer, too, both say the same. So the
// largest run tells how the laws go on along those sides, where they would have
// been taken for constants, and nothing else. kNo with what they say otherwise,
// and where nothing could be compared. grids: of all runs, ascending. like: the
// largest.
// REQUIRES: HasNewSide(grids, from_one).
// Complexity: some dozen grids of up to four times as many ranks.
reduction::Status CheckAgainstFewer(const NodeLaw& of_all,
                                    const NodeLaw& of_fewer,
                                    const reduction::Trace& like,
                                    std::span<const Grid> grids, bool from_one);

// kNo where a side that is one rank in all runs but the largest is longer on
// the grid of these sides than in that run: around two ranks both ways are one.
reduction::Status CheckFromOne(std::span<const Grid> grids,
                               const std::vector<int64_t>& dims);

}  // namespace ranksight::online_model
