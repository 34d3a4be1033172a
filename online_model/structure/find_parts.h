// The search for a part of a whole, or where it begins, in the ways in which
// programs cut what does not divide: what is left over goes to the first parts,
// one each, to the last parts, all to the last one; is spread by
// floor(x * whole / parts); or parts are rounded up and the last ones get less.
//
// Where several ways give all samples the law has a value where they agree.
// Thread-safety: pure function.
#pragma once

#include <span>

#include "online_model/structure/expression.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// scale * size + add, or scale * begin + add, of part x of d along a side of
// the grid, or of part k of the n of a list. nullptr where there is none, or
// where all parts are equal at all sizes. A whole that is found goes to
// space.wholes.
ExpressionPtr FindParts(std::span<const Sample> samples,
                        const SearchSpace& space);

// A constant times parts of wholes along several sides, and along a list: what
// goes to whom in a transpose, of a matrix cut in rows that is to be cut in
// columns. Sides along which all parts are equal may divide it. nullptr where
// there is none.
ExpressionPtr FindProductOfParts(std::span<const Sample> samples,
                                 const SearchSpace& space);

// A whole that other laws cut (space.wholes) less its first part: what rank 0
// takes from all others. nullptr where it is none, or where there are only two
// different values, which several wholes give. What several wholes give they
// have where they agree.
ExpressionPtr FindAllButFirst(std::span<const Sample> samples,
                              const SearchSpace& space);

// Whether it may be so once such a whole is known: rank 0 alone has any, and
// the more ranks there are the more.
bool MayBeAllButFirst(std::span<const Sample> samples);

}  // namespace ranksight::online_model
