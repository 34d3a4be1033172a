// The search for what is left of a whole that is shared out: whole mod parts,
// as rank 0 deals out in a last round, or a share and all that is left, as the
// last rank or the root has it where nobody else takes more than the share.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "online_model/structure/expression.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// factor * (whole mod parts), or factor * (whole / parts + whole mod parts),
// where parts are all ranks, all but one, or a side, and the whole is one that
// other laws share out among as many, or of which they say what is left
// (space.said): few small numbers are left of some whole or other. nullptr
// where there is none, where samples depend on more than the size, or are of
// fewer than three sizes.
ExpressionPtr FindRest(std::span<const Sample> samples,
                       const SearchSpace& space);

// A law of what is left, and of what.
struct Rest {
  ExpressionPtr law;
  int64_t whole = 0;
  ExpressionPtr parts;
};

// The same of any wholes, the shortest to say that give the samples.
std::vector<Rest> PossibleRests(std::span<const Sample> samples, int ndims);

// whole mod parts, of a whole that is a number.
bool IsWholeModulo(const Expression& e);

}  // namespace ranksight::online_model
