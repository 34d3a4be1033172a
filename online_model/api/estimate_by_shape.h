// What can be said of a program that follows laws throughout, where its runs do
// not tell which of a few grids the target's ranks form.
// Thread-safety: pure function.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "online_model/api/extrapolate.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// The trace on the first of these shapes (ExtrapolationRequest::tell_shapes)
// that laws give one for, as an estimate: call sites at which any rank does
// something else on another of them are estimated, as wide as the furthest of
// these is off, and marked (Meta::estimates). All others are exact. Where laws
// give none for some shape, as a side is as long in all runs, all call sites
// are estimated, as wide as they are. kNo where there is none for any, where a
// trace has more events than are walked, and of a symbolic trace, which says of
// no call site that it is estimated. Complexity: as Extrapolate for each shape,
// but for the laws, which are searched once; then the events of each trace.
reduction::Result<Extrapolation> EstimateByShape(
    std::span<const reduction::Trace> inputs,
    const ExtrapolationRequest& request,
    const std::vector<std::vector<int64_t>>& shapes);

// Marks all call sites as estimated: of a trace whose laws are refused as
// exact, though none is missing. kNo where the trace is too long to be gone
// through, and nothing changed.
reduction::Status MarkAllAsEstimated(Extrapolation* made);

}  // namespace ranksight::online_model
