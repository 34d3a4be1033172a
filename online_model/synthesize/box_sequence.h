// The sequences that a law gives on a whole box of ranks: terms as in
// reduction::Section, with numbers that are affine on the box.
//
// All functions throw a Cut (structure/box.h) where one form does not serve
// the whole box, and a Status where the law gives no such sequence.
// Thread-safety: value types, pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "online_model/structure/box.h"
#include "online_model/structure/sequence_law.h"
#include "reduction/api/parameter.h"
#include "reduction/api/status.h"

namespace ranksight::online_model {

struct BoxTerm {
  Affine value;  // of a run; 0 with a body
  int64_t stride = 0;
  Affine count;
  std::vector<BoxTerm> body;
};
using BoxTerms = std::vector<BoxTerm>;

// A Round (structure/rounds.h) of all ranks of the box.
struct BoxRound {
  Affine iterations;  // 0: of no use
  Affine each;
  std::vector<int64_t> runs;
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

BoxParent Everywhere(const Grid& grid);
uint64_t RanksOf(const Box& box);
std::vector<BoxParent> Parts(const BoxParent& parent, const Cut& cut);

// lengths: of the array, as in RankPattern; empty for others.
BoxPattern PatternOn(const SequenceLaw& law, const BoxParent& parent,
                     const std::vector<int64_t>& lengths = {});
// count values of the pattern. REQUIRES: count >= 1 on all ranks.
BoxTerms Repeat(const BoxPattern& pattern, const Affine& count, const Box& box);
Affine Sum(const BoxTerms& terms, const Box& box);
// The numbers themselves; throws a Cut where ranks differ.
std::vector<int64_t> NumbersOf(const BoxTerms& terms, const Box& box);
// Rounds of the children of a node with these trips.
std::vector<BoxRound> Within(const std::vector<BoxRound>& rounds,
                             const BoxPattern& trips, const Box& box);
BoxRound RoundOf(const BoxPattern& trips, const Box& box);

// One piece for all ranks of the box.
reduction::ParameterPiece PieceOf(const BoxTerms& terms, const Box& box,
                                  bool ranked);

}  // namespace ranksight::online_model
