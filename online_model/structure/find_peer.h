// The searches for the simplest laws of a rank that others are told: a
// displacement, on the grid or along all ranks, or bits that differ.
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <span>

#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// Each gives the law of its kind that gives every sample, or nothing.
// REQUIRES: samples.
// Displacements that any sample suggests, nearest first, and every choice of
// periodic dimensions. Complexity: O(samples), times 128 at most.
std::optional<ScalarLaw> FindNeighbour(std::span<const Sample> samples,
                                       int ndims);
// So many ranks on, around all of them.
std::optional<ScalarLaw> FindOnLine(std::span<const Sample> samples);
// The own rank with the same bits turned over everywhere.
std::optional<ScalarLaw> FindXor(std::span<const Sample> samples);

}  // namespace ranksight::online_model
