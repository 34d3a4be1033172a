// Where somebody is as far away as another event of the program says, in the
// same direction or in the opposite one.
//
// A loop goes through distances: strides of a multigrid's levels, rounds of a
// hand-made tree, rings that get wider. Whom it sends to on one side says how
// far away all are, so that on the other side, too, a rank has somebody where
// there is a rank so far away. Thread-safety: value types, pure functions.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// How far away a peer is in each iteration of a loop: along a side of the grid,
// or along all ranks, where `dim` is kAllRanks.
struct Distance {
  static constexpr int kAllRanks = -1;
  int dim = kAllRanks;
  ExpressionPtr by;
};

// That of the law of a peer; nothing where it is the same in all iterations, or
// the law has another form.
std::optional<Distance> DistanceOf(const ScalarLaw& peer);

// Whether there is a rank so far on, or back, which gives all samples; nullptr
// where none of the distances does. REQUIRES: of conditions, at places.
ExpressionPtr FindWhereThereIs(std::span<const Sample> samples,
                               std::span<const Distance> distances);

}  // namespace ranksight::online_model
