// Boxes of ranks and the lists on them, written as pieces of a parameter.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>

#include "online_model/structure/box.h"
#include "online_model/synthesize/box_terms.h"
#include "reduction/api/parameter.h"

namespace ranksight::online_model {

uint64_t RanksOf(const Box& box);

// One piece for all ranks of the box; ranked: values may be held relative to
// the rank. Throws a Status where ranks form a triangle of too many rows.
reduction::ParameterPiece PieceOf(const BoxTerms& terms, const Box& box,
                                  bool ranked);

}  // namespace ranksight::online_model
