// Another tree for aligned traces: one in which every rank has every iteration
// of every loop, and conditions say what it calls there.
//
// Aligning (reduction::Align) joins the trees that ranks were folded into.
// Where each rank skips other calls of a loop, it may fold another way on each,
// and then nothing says which iteration is which. Here all ranks of all sizes
// are parsed at once: loops from the call paths of all (call_tree.h),
// iterations numbered so that messages stay within one (numbering.h).
// Complexity: O(events of all ranks), a few times.
// Thread-safety: pure function.
#pragma once

#include <span>

#include "online_model/parse/numbering.h"
#include "online_model/parse/streams.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// Which loops are cut in two.
enum class Nesting {
  kRepeated,         // those that repeat themselves (nest.h)
  kRepeatedAndRuns,  // and those that reach the same ranks in a row
  kRepeatedAndInner  // and those that have inner ones (flow_graph.h)
};

// Every rank's stream stays as it was; all roots have the same shape.
// REQUIRES: the traces have the same sites. kNo, and nothing changed, where
// this cannot be had, or where it comes out as with kAll and kRepeated.
reduction::Status ParseAgain(std::span<reduction::Trace> traces,
                             TagKinds tags = TagKinds::kFew,
                             IterationBody body = IterationBody::kAll,
                             Nesting nesting = Nesting::kRepeated);

}  // namespace ranksight::online_model
