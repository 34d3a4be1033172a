// The search for what even ranks do in one way and odd ranks in another: meet
// their neighbours by turns, as in odd-even transposition (Knuth, 5.3.4), or
// send first, as in exchanges that must not hang.
// Thread-safety: pure function.
#pragma once

#include <span>

#include "online_model/structure/expression.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// Both: one law where a sum is even, another where it is odd. The sum: of the
// rank, or of a coordinate, or of all coordinates, and in a list or loop of the
// place, too; or there the rank without as many low bits as the place says.
// nullptr where there are no such laws.

// The next rank along a side, or along all ranks, by turns with the one before;
// nobody, or the rank at the other end, beyond the ends.
// REQUIRES: values are ranks, or nobody.
ExpressionPtr FindNextByParity(std::span<const Sample> samples,
                               const SearchSpace& space);

// Whether something is called: never, always, at one end of a side alone, or
// everywhere but there.
ExpressionPtr FindGuardByParity(std::span<const Sample> samples,
                                const SearchSpace& space);

}  // namespace ranksight::online_model
