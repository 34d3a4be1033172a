// Check: whether what a trace is made of keeps the invariants that its headers
// state. For tests and fuzzers: it costs as much as reading all of it.
//
// Each gives kInternal with the first invariant that is broken.
// Thread-safety: pure functions.
#pragma once

#include "reduction/api/folder.h"
#include "reduction/api/parameter.h"
#include "reduction/api/section.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::reduction {

// Terms as section.h says, and as many values as size().
Status Check(const Section& section);
// Pieces as parameter.h says: ascending ranks, none twice, columns that nest as
// the shape does, and sections that fit 62 bits.
Status Check(const Parameter& parameter);
// The tree as trace.h says, with parameters that hold, of ranks of the run.
Status Check(const Trace& trace);
// The queue so far, as a trace of one rank.
Status Check(const Folder& folder);

}  // namespace ranksight::reduction
