// PieceIndex: where the terms of long rank sets and columns begin, so that one
// rank's number is found in O(log terms) instead of O(terms). A trace that
// follows no rule has columns of as many terms as ranks; who opens all ranks
// one by one would go through them all for each. Thread-safety: immutable once
// made. REQUIRES: the pieces outlive it and do not change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reduction/api/parameter.h"

namespace ranksight::reduction {

// Terms that are gone through faster than an index of them is made for one
// question. Doubling it makes reading columns of fewer than that half as fast.
inline constexpr size_t kLongSection = 64;

class PieceIndex {
 public:
  explicit PieceIndex(const ParameterPieces& pieces);
  // As PositionOf and Section::At, of the piece at this place.
  int64_t PositionOf(size_t piece, int64_t rank) const;
  int64_t ColumnAt(size_t piece, size_t column, uint64_t position) const;

 private:
  // The position of each term's first value; empty for a short section.
  using Begins = std::vector<uint64_t>;
  struct Piece {
    Begins ranks;
    std::vector<Begins> columns;  // none where all are short
  };
  static Begins BeginsOf(const Section& section);
  const ParameterPieces& pieces_;
  std::vector<Piece> index_;
};

}  // namespace ranksight::reduction
