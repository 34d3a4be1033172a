// Taking one merged tree's trips and parameters over into another tree of the
// same ranks' events.
//
// Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reduction/api/trace.h"
#include "reduction/merge/normal_form.h"
#include "reduction/merge/skeleton.h"

namespace ranksight::reduction {

// A class of ranks (normal_form.h) of the old tree.
struct AlikeRanks {
  std::vector<int64_t> ranks;
  OwnLoops own;  // of one of them
  size_t form;   // of all of them, in the skeleton
};

// `from`: all ranks' trips and parameters. `to`: a tree of the same events in
// which each form has the order and nesting that its ranks shall have. *out
// becomes that tree with what `from` has, for all ranks. Where an event goes
// to several places, its times go to that of most of its ranks. False where
// parameters cannot be taken apart: distributions know no ranks. Pauses.
bool LayOut(const std::vector<AlikeRanks>& classes, const Node& from,
            const Skeleton& to, Node* out);

}  // namespace ranksight::reduction
