// The search for pieces: a whole that is taken in pieces of one size over the
// places of a loop or list, of which the last has what is left. So many tasks
// in rounds of one for each worker; so many rows in batches.
// Thread-safety: pure function but for space.said and space.cuts.
#pragma once

#include <span>

#include "online_model/structure/expression.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// min(piece, whole - piece * place), where the whole and the piece have laws
// over the size and the rank. samples: rank by rank, each place in turn.
// nullptr where there is none, where no last piece is shorter, or where some
// rank's places are not all there.
ExpressionPtr FindPieces(std::span<const Sample> samples, SearchSpace space);

}  // namespace ranksight::online_model
