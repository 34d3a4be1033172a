// Estimated amounts as plain numbers: of a distribution a walk of all ranks
// needs a value for each call, and takes the mean.
// Thread-safety: pure function.
#pragma once

#include "reduction/api/trace.h"

namespace ranksight::online_model {

// Every distribution in the trace becomes its mean, rounded, as often as the
// event's calls on a rank, or its arrays' lengths, say. What is sent and what
// is received stay alike where their distributions have the same mean. How many
// values that makes stands in meta.losses (reduction::kLossByMeans).
void Average(reduction::Trace* trace);

}  // namespace ranksight::online_model
