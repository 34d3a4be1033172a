#include "reduction/section/piece_index.h"

#include <algorithm>
#include <span>

#include "reduction/api/contract.h"
#include "reduction/section/term.h"

namespace ranksight::reduction {

PieceIndex::Begins PieceIndex::BeginsOf(const Section& section) {
  Begins begins;
  if (section.terms().size() <= kLongSection) return begins;
  begins.reserve(section.terms().size());
  uint64_t at = 0;
  for (const Term& t : section.terms()) {
    begins.push_back(at);
    at += TermSize(t);
  }
  return begins;
}

PieceIndex::PieceIndex(const ParameterPieces& pieces) : pieces_(pieces) {
  index_.reserve(pieces.size());
  for (const ParameterPiece& p : pieces) {
    Piece& piece = index_.emplace_back();
    piece.ranks = BeginsOf(p.ranks);
    // A column has no more terms than ranks; so most need not be looked at.
    if (p.ranks.size() <= kLongSection) continue;
    piece.columns.reserve(p.columns.size());
    for (const Column& c : p.columns) {
      piece.columns.push_back(BeginsOf(c.values));
    }
  }
}

int64_t PieceIndex::PositionOf(size_t piece, int64_t rank) const {
  RANKSIGHT_REQUIRE(piece < pieces_.size());
  const std::span<const Term> terms = pieces_[piece].ranks.terms();
  const Begins& begins = index_[piece].ranks;
  if (begins.empty()) return PositionIn(terms, rank);
  // Ascending values: what begins above the rank does not hold it.
  const auto above = std::partition_point(
      terms.begin(), terms.end(),
      [rank](const Term& t) { return FirstValue(t) <= rank; });
  if (above == terms.begin()) return -1;
  const auto k = size_t(above - terms.begin()) - 1;
  const int64_t inside = PositionIn(terms.subspan(k, 1), rank);
  return inside < 0 ? -1 : int64_t(begins[k]) + inside;
}

int64_t PieceIndex::ColumnAt(size_t piece, size_t column,
                             uint64_t position) const {
  RANKSIGHT_REQUIRE(piece < pieces_.size());
  RANKSIGHT_REQUIRE(column < pieces_[piece].columns.size());
  const Section& values = pieces_[piece].columns[column].values;
  const std::vector<Begins>& columns = index_[piece].columns;
  if (columns.empty() || columns[column].empty()) return values.At(position);
  const Begins& begins = columns[column];
  const auto above = std::upper_bound(begins.begin(), begins.end(), position);
  const auto k = size_t(above - begins.begin()) - 1;
  return ValueAt(values.terms().subspan(k, 1), position - begins[k]);
}

}  // namespace ranksight::reduction
