// The search for laws of what a datatype's extent is longer than its size. Of
// faces of a block that may be a sum of two products, where size and extent are
// one each. Thread-safety: pure functions.
#pragma once

#include <optional>
#include <span>

#include "online_model/structure/sequence_law.h"
#include "reduction/api/call.h"

namespace ranksight::online_model {

bool IsExcess(reduction::Param p);

// The law of the extent less that of the size; nothing where all excesses are
// equal, or laws are not of a place of a list each. sizes: of the same ranks.
std::optional<SequenceLaw> FindExcessLaw(std::span<const RankPattern> excesses,
                                         std::span<const RankPattern> sizes,
                                         const SequenceLaw& size_law,
                                         const SearchSpace& space);

}  // namespace ranksight::online_model
