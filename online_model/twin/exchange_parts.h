// Who may be a partner of whom in an exchange on parts of the ranks: those that
// are together in its communicator, at the target.
// Thread-safety: pure functions. Complexity: what laws say of all ranks, where
// the communicator is none of all ranks; else nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "online_model/twin/drawn_groups.h"
#include "online_model/twin/exchange.h"

namespace ranksight::online_model {

struct ExchangeParts {
  std::vector<std::vector<int64_t>> members;  // ascending
  std::vector<int> part_of;                   // by rank; -1: of none
  // By rank, the one of the largest input that is at the like place of a like
  // part.
  std::vector<int64_t> like;
  // By rank of the largest input, its place in its part there, and how many are
  // in it; 0 of none.
  std::vector<int64_t> place_there, size_there;

  bool empty() const { return members.empty(); }
};

// Empty where all ranks are together, or where it is not known who is.
ExchangeParts PartsOfExchange(const TwinTree& tree, const Exchange& exchange,
                              const InputRun& last, const Grid& grid,
                              const DrawnGroups& groups);

// What laws give all ranks; what they do not say is not run. Empty where they
// give no number, or for too many ranks.
std::vector<RankRun> AllByLaw(const TwinTree& tree, const Grid& grid);

}  // namespace ranksight::online_model
