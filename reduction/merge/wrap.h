// Making a loop around children that ran as often as their parent.
#pragma once

#include <vector>

#include "reduction/api/trace.h"
#include "reduction/merge/align_lists.h"

namespace ranksight::reduction {

// Replaces children wrap.first..wrap.last of a loop by one loop around them,
// which runs once in each iteration of the parent in which one of them ran.
// parent_trips: the parent's trip counts; nullptr for the root (one
// iteration). Streams stay as they are.
void WrapChildren(const Parameter* parent_trips, Wrap wrap,
                  std::vector<Node>* children);

}  // namespace ranksight::reduction
