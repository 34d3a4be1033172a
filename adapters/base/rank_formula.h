// RankFormula: values over ranks as a short formula of the rank, for whoever
// writes programs.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

namespace ranksight::adapters {

struct RankFormula {
  enum class Form {
    kNone,      // no short one is exact
    kNumber,    // b
    kShifted,   // rank + b
    kLinear,    // a * rank + b
    kXor,       // rank ^ b
    kModulo,    // rank % a
    kQuotient,  // rank / a
    kRing,      // (rank + b) % ranks, 0 < b < ranks
  };
  Form form = Form::kNone;
  int64_t a = 0, b = 0;
};

// The first form that gives every value, in the order above. Ranks ascend;
// values may be special (reduction/api/call.h) only where all are equal.
// Complexity: O(values) for each form tried.
RankFormula FindRankFormula(std::span<const std::pair<int64_t, int64_t>> values,
                            int64_t ranks);

}  // namespace ranksight::adapters
