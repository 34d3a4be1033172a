// Ranks that make the same calls: with the same values, each relative to its
// own rank where the trace holds it so.
//
// Thread-safety: pure functions. Complexity: O(ranks x parameters), with no
// walk of any rank.
#pragma once

#include <cstdint>
#include <vector>

#include "reduction/api/trace.h"

namespace ranksight::online_model {

// Mixes what comes into a key of 64 bits.
uint64_t MixedKey(uint64_t key, uint64_t value);

// By rank: its class, numbered from 0 in the order of their first ranks.
struct RankClassing {
  std::vector<uint32_t> of_rank;
  size_t count = 0;
};
RankClassing ClassesByKey(const std::vector<uint64_t>& keys);

// Where keys are the same, calls are.
std::vector<uint64_t> CallKeys(const reduction::Trace& trace);

}  // namespace ranksight::online_model
