// The last resort: a run of more ranks as copies of a run that was recorded.
//
// Rank r does what rank r mod n of the run on n ranks did, with the ranks of
// its own copy. Communicators that grew with the ranks, that of all among them,
// join the copies; the others are each copy's own. So whatever is called goes
// together: all copies at once do what one run did. How much is sent follows
// the sums of the runs; every call site is an estimate. Thread-safety: pure
// function. Complexity: O(events at the target).
#pragma once

#include <span>

#include "online_model/api/extrapolate.h"

namespace ranksight::online_model {

// inputs: as for Extrapolate, whose answer and MakeTwin's should be preferred.
// Of the request: ranks. kNo with the reason where no run can be copied: calls
// that say how many ranks there are otherwise than by a communicator, or more
// events than are walked.
reduction::Result<Extrapolation> MakeOfCopies(
    std::span<const reduction::Trace> inputs,
    const ExtrapolationRequest& request);

}  // namespace ranksight::online_model
