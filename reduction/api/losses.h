// Names under which Meta::losses counts what a trace lacks, where more than one
// folder knows them.
#pragma once

namespace ranksight::reduction {

// Amounts that stand as the mean of what they were: estimates that can be
// replayed.
inline constexpr const char* kLossByMeans = "values_replaced_by_means";

}  // namespace ranksight::reduction
