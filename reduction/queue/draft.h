// A node of a rank's tree on its way from the folder into a trace.
#pragma once

#include <vector>

#include "reduction/api/section.h"
#include "reduction/api/tree.h"

namespace ranksight::reduction {

// A node whose trips and children are not its own yet.
struct Draft {
  Node node;
  Section trips;
  std::vector<Draft> children;  // none: an event
  bool may_follow = false;      // see TreeNode; a loop: all in it may
  int levels = 0;               // of loops it is, itself the first
};

// What the loop is when the events at its end that may follow it do. Folding
// found them in it where a compiler put the loop's middle behind both; on ranks
// that do not run the middle they end the loop each time they run, and the next
// iteration is one of a loop around both. So here: of A Z B X, with X in
// each second iteration, the loop around A Z B twice, and X, as of A B X; and
// where X ran in the last iteration of each visit only, A Z B, then X.
// Gives the loop, or the one around it, and what follows that in each of its
// parent's iterations. Loses and reorders nothing, and makes no more than
// kMostLevels with the `above` around it. Pauses.
// REQUIRES: trips holds a value for each iteration of the parent, and those of
// the children for each iteration of the loop.
std::vector<Draft> Split(Draft loop, int above);

}  // namespace ranksight::reduction
