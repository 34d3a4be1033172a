// What a folder does when its memory is to be bounded: amounts that follow no
// rule become distributions, and stay so.
#pragma once

#include "reduction/queue/tree_node.h"

namespace ranksight::reduction {

// Turns amounts of the events below node that take more room than a
// distribution into one. Returns how many parameters it turned.
size_t SpareMemory(TreeNode* node);

// Whether the event's bytes in total stay exact when it is added to node.
bool KeepsBytesExact(const TreeNode& node, const Event& event);

}  // namespace ranksight::reduction
