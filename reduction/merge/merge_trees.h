// Uniting two trees over the same sites.
#pragma once

#include <cstdint>
#include <vector>

#include "reduction/api/same_tree.h"
#include "reduction/api/trace.h"
#include "reduction/merge/unite_parameters.h"

namespace ranksight::reduction {

// Unites b into a. REQUIRES: the same Sites, no rank in both.
void MergeTrees(Node* a, Node&& b);
// The same, with what to unite the parameters by.
void MergeTrees(ParameterUniter* uniter, Node* a, Node&& b);

// Ranks that ran anything, ascending.
std::vector<int64_t> RanksOf(const Node& root);

// Rewrites every site index: new = map[old].
void RemapSites(const std::vector<uint32_t>& map, Node* node);

}  // namespace ranksight::reduction
