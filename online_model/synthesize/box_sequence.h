// The sequences that a law gives on a whole box of ranks.
//
// All functions throw a Cut (structure/box.h) where one form does not serve
// the whole box, and a Status where the law gives no such sequence.
// Thread-safety: value types, pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "online_model/structure/box.h"
#include "online_model/structure/sequence_law.h"
#include "online_model/synthesize/box_terms.h"

namespace ranksight::online_model {

// A Round (structure/rounds.h) of all ranks of the box.
struct BoxRound {
  Affine iterations;  // 0: of no use
  Affine each;
  std::vector<int64_t> runs;
  bool once = false;
  std::vector<int64_t> visits;
};

// A node on the ranks of a box.
struct BoxParent {
  Box box;
  Affine runs;
  std::vector<BoxRound> rounds;
};

struct BoxPattern {
  BoxTerms prefix, period;
};

// All ranks, once each.
std::vector<BoxParent> Everywhere(const Grid& grid);
std::vector<BoxParent> Parts(const BoxParent& parent, const Cut& cut);

// lengths: of the array, as in RankPattern; empty for others.
BoxPattern PatternOn(const SequenceLaw& law, const BoxParent& parent,
                     const std::vector<int64_t>& lengths = {});
// count values of the pattern. REQUIRES: count >= 1 on all ranks.
BoxTerms Repeat(const BoxPattern& pattern, const Affine& count, const Box& box);
// Rounds of the children of a node with these trips: see structure/rounds.h.
// visits: whether any law asks for those that differ.
std::vector<BoxRound> Within(const std::vector<BoxRound>& rounds,
                             const BoxPattern& trips, const Box& box);
std::vector<BoxRound> Around(std::vector<BoxRound> rounds,
                             const BoxPattern& trips, const Box& box,
                             bool visits);

}  // namespace ranksight::online_model
