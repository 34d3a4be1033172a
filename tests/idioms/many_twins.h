// Many twins of one program, and whether the ranks of each get to their end.
// Thread-safety: pure functions.
#pragma once

#include <functional>

#include "tests/idioms/judge.h"

namespace ranksight::idioms {

// Draws `count` twins from the four largest inputs, each of a seed of its own,
// at the targets and at rank counts between the largest input and four times as
// many. Tells of each: kEstimated, kRefused with the reason, or kWrong where
// its ranks stand, or collectives do not go together, with who waits.
// Complexity: the laws are searched once; else O(events).
void TryTwins(const Program& program, int count,
              const std::function<void(const Outcome&)>& tell);

}  // namespace ranksight::idioms
