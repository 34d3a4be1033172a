// Whether the messages of an extrapolated trace go together: every law may
// hold at all inputs and sends may still be longer than their receives beyond
// them, because one of two ends was given a law that agrees by chance.
#pragma once

#include <string>

#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// Ok, or kNo naming two ranks one of which is not there, or whose messages and
// receives differ in number, or in length, where no two of `recorded` do; or a
// communicator of which its members disagree, as none of `recorded` does.
// Between each two ranks and for each tag the sums are compared, on all
// communicators together; what a rank receives from any source, of any tag, or
// by matched probes says nothing.
//
// Complexity: O(events), about a second for kMostChecked; memory O(pairs that
// talk).
inline constexpr uint64_t kMostChecked = 4'000'000;
reduction::Status CheckMessages(const reduction::Trace& trace,
                                const reduction::Trace& recorded);
// What it gave, with what to do about it where that is kNo.
reduction::Status WithAdvice(const reduction::Status& checked,
                             const std::string& advice);

}  // namespace ranksight::online_model
