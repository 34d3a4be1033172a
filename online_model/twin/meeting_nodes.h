// Nodes at which ranks call one collective of all of them: one line of a
// program stands in several loops, and compilers copy it.
// Thread-safety: pure functions. Complexity: O(collective calls).
#pragma once

#include <vector>

#include "online_model/twin/input_run.h"

namespace ranksight::online_model {

// By node, the first of those that it meets, or itself.
std::vector<int> NodesThatMeet(const TwinTree& tree, const InputRun& input);

}  // namespace ranksight::online_model
