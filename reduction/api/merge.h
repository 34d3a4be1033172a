// Merging traces: aligning trees by call path, uniting parameters over ranks.
//
// Thread-safety: pure functions.
#pragma once

#include <span>
#include <vector>

#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::reduction {

// Unites the ranks of two partial traces of the same run. The rank sets must
// be disjoint (kInternal otherwise). Meta: counters add up, the earliest
// start and the least complete_until win, everything else comes from the
// side with the lower rank. Lossless: each rank's event stream is unchanged.
// Cost grows with the size of the compressed traces.
Result<Trace> Merge(Trace a, Trace b);

// As Merge, but on failure *into stays as it was.
Status MergeInto(Trace* into, Trace from);

// Brings a whole merged trace to a form that its ranks' events decide, in
// whatever order over whatever tree they were merged: equal but for which of
// an event's places has its times, where there are several. Streams stay as
// they are; doing it twice changes nothing. Pauses.
void Canonicalize(Trace* trace);

// Brings traces of the same program at different sizes to one tree: after
// it, all roots have the same shape, kinds, calls and sites node by node
// (sites are shared: all get the same Sites), and every stream is unchanged.
// A loop that ran once in one trace and often in another is a loop in all;
// a node without any rank stands where the others have it.
// kNo when two trees cannot be brought together, or one lacks values
// (RequireValues), with the reason.
Status Align(std::span<Trace> traces);

}  // namespace ranksight::reduction
