// The search for laws of lists over the ranks, such as rank 0 receives from all
// others by: a law of each rank, the same wherever the list is.
// Thread-safety: pure function.
#pragma once

#include <optional>
#include <span>

#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// The law, of kind kThere, that gives all these values at places of lists;
// nothing where a place stands for no rank (Context::There), or two places that
// stand for one rank have two values.
std::optional<ScalarLaw> FindThere(std::span<const Sample> samples,
                                   const SearchSpace& space);

}  // namespace ranksight::online_model
