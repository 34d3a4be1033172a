// Pushes the same events over and over.
#pragma once

#include <cstdint>
#include <span>

#include "reduction/queue/loop_tree.h"
#include "reduction/queue/stored_variant.h"

namespace ranksight::reduction {

// Moves the tree to the variant's event and adds its values.
void PushVariant(const StoredVariant& variant, LoopTree* tree);

// Pushes the cycle's variants in order, `rounds` times over. The first rounds
// are pushed one by one; once two in a row have changed the tree's counters
// and trip counts by the same, so will all others, and they are added at
// once. O(cycle) in the end, whatever the rounds.
void PushRounds(std::span<const StoredVariant* const> cycle, uint64_t rounds,
                LoopTree* tree);

}  // namespace ranksight::reduction
