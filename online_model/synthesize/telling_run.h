// What runs leave open about the target, and the least run that shows it: one
// at which the same is open.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "reduction/api/status.h"

namespace ranksight::online_model {

// kNo: "<open>; at 72 ranks, <there>". open: what the runs leave open, the same
// words wherever they do. there: what it is on the target's ranks.
reduction::Status OpenAtTarget(const std::string& open, int64_t ranks,
                               const std::string& there);

// Whether both say that the same is open (OpenAtTarget).
bool AreOpenAlike(const reduction::Status& a, const reduction::Status& b);

// Of the rank counts below `below` but the runs' own the least that tells and
// is none smaller than theirs; else the largest that is smaller, as sides of
// few ranks tell little. 0: none does. No run of more than 4,096 ranks is
// proposed, or of more than half of `below`.
int64_t TellingRun(std::span<const int64_t> sizes, int64_t below,
                   const std::function<bool(int64_t ranks)>& tells);

// With the run that tells at its end, where one is known; 0: it is not.
reduction::Status WithTellingRun(const reduction::Status& open, int64_t ranks);

}  // namespace ranksight::online_model
