// Loops that send something in pieces: all of one size but for the last of each
// visit, which has what is left.
//
// How many pieces there are and how long the last one is follow from the whole,
// which has a law where neither shows one by itself: a face of 52 points goes
// in five messages of at most 12, one of 28 in three.
// Thread-safety: value type.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "online_model/structure/sequence_law.h"
#include "online_model/synthesize/node_patterns.h"

namespace ranksight::online_model {

class InPieces {
 public:
  // The law of the trip counts of a loop, where what an event in it carries
  // comes in pieces; keeps that of the amounts. Nothing where it does not, or
  // where the whole has no law.
  // trips: of the loop's nodes, on each rank; inside: what is around its
  // children.
  std::optional<SequenceLaw> FindTrips(const Nodes& loop,
                                       std::span<const Grid> grids,
                                       std::span<const RankPattern> trips,
                                       const Parents& inside,
                                       const SearchSpace& space);

  // The law kept of that parameter, where it gives these.
  std::optional<SequenceLaw> FindAmount(
      const Nodes& event, size_t param,
      std::span<const RankPattern> amounts) const;

 private:
  std::map<std::pair<const reduction::Node*, size_t>, SequenceLaw> amounts_;
};

}  // namespace ranksight::online_model
