// The mesh that a program cuts among its ranks, as its laws name it.
// Thread-safety: pure function.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "online_model/synthesize/node_law.h"

namespace ranksight::online_model {

// Of each side of the grid the whole that is cut along it: of several the one
// that most laws name, of equals the largest. Where no law shows a remainder, a
// whole may be some multiple, the same along all sides. nullopt where one
// of the sides has none.
std::optional<std::vector<int64_t>> MeshOfLaws(const NodeLaw& root, int ndims);

}  // namespace ranksight::online_model
