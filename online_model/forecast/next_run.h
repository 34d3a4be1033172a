// Which run to make next: of the rank counts that continue the pattern of
// those measured, the one that narrows the widest interval most.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "online_model/forecast/total.h"

namespace ranksight::online_model {

struct NextRun {
  int64_t ranks = 0;
  std::string reason;
};

// Rank counts that continue the pattern (squares, cubes, a constant factor,
// else doubling), ascending, all above the largest measured and at most 4
// times it, but never none. REQUIRES: measured ascending, not empty, >= 1.
std::vector<int64_t> NextSizes(std::span<const int64_t> measured);

// REQUIRES: at least 3 measured rank counts.
NextRun ChooseNextRun(const TotalModel& model,
                      std::span<const int64_t> measured,
                      std::span<const int64_t> asked);

// Of the interval at a rank count; widths: half of it, of the value.
std::string NarrowingText(double ranks, double width, double narrowed);

// Where nothing can be said of its interval.
std::string TestingText(double ranks);

}  // namespace ranksight::online_model
