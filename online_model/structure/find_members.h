// The search for how many members a group of ranks has that a program made by
// rank: every n-th rank, n ranks in a row, or every n-th alone while the others
// are in none. How large such groups are follows from who is in them, so the
// few values that it takes need no more evidence.
// Thread-safety: pure function.
#pragma once

#include <span>

#include "online_model/structure/expression.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// nullptr when there is none.
ExpressionPtr FindMemberCount(std::span<const Sample> samples);

}  // namespace ranksight::online_model
