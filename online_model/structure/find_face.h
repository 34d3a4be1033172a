// The search for faces and volumes of equal blocks: products of shares of a
// mesh along several sides of the grid, each with the same halo,
// scale * (whole / d0 + halo) * (whole' / d1 + halo).
//
// Where all inputs divide the mesh no rank has another amount than the others,
// so that few numbers are seen, one for each size, and sums of sides give them
// as well: a form that programs have is taken before forms that none has.
// Thread-safety: pure function.
// Complexity: samples times some hundred thousand triples at worst, most of
// which the second size refuses.
#pragma once

#include <span>

#include "online_model/structure/expression.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// nullptr where values differ between the ranks of a size, are fewer than three
// different ones, or follow none. The law has no value where a side does not
// divide its whole.
ExpressionPtr FindFace(std::span<const Sample> samples, int ndims);

}  // namespace ranksight::online_model
