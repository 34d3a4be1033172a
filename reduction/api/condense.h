// Condense: parameters in fewer pieces where that is shorter.
//
// Folding sees one rank, so ranks that loop alike over lists of different
// values fold to different shapes: 4 4 5, then 5 4 4, is (4x2 5) on one rank
// and (5 4x2) on another, and each shape is a piece of its own. Where all
// ranks repeat lists of one length, the lists laid out value by value are one
// piece with a column for each place in the list.
//
// Computation stays apart by predecessor only where that matters for what ranks
// wait for one another (times.h).
//
// Streams stay as they are; condensing twice is condensing once. For whole
// traces, before they are written: merging condensed ones is right, too, but
// finds fewer equal shapes.
// Thread-safety: pure function.
#pragma once

#include "reduction/api/trace.h"

namespace ranksight::reduction {

// Pauses.
void Condense(Trace* trace);

}  // namespace ranksight::reduction
