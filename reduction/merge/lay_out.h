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

namespace ranksight::reduction {

// A class of ranks (normal_form.h) of the old tree.
struct AlikeRanks {
  std::vector<int64_t> ranks;
  OwnLoops own;  // of one of them
  int64_t form;  // the number that stands for them in the trips of the new tree
};

// `from`: all ranks' trips and parameters. `to`: a tree of the same events in
// which each form, by its number, has the trips of one rank, in the order and
// nesting in which all ranks of that form shall have theirs. After it *to
// has what *from had, for all ranks, and *from is left without. Where an
// event goes to several places, its times go to that of most of its ranks.
// False, and nothing is changed in *from, where parameters cannot be taken
// apart: distributions know no ranks. Pauses.
bool LayOut(const std::vector<AlikeRanks>& classes, Node* from, Node* to);

}  // namespace ranksight::reduction
