// Parameter: one integer sequence for every rank, compressed over occurrences
// and over ranks at once. Trip counts are parameters, too.
//
// Ranks whose sections have the same shape (the same nesting of terms)
// share one piece; each number in the shape (value, stride, count) is a
// column: a section over the ranks of the piece, relative to the own rank
// where that is shorter. So "my right neighbour, a thousand times" is one
// piece with three constant columns, on any number of ranks.
//
// Invariants: the rank sets of the pieces are disjoint; a rank in no piece
// has the empty sequence. For trip counts that means: never executed.
// Complexity: At is O(size of the rank's section), but for what it takes to
// find the rank: O(log terms) where a rank was looked for in long columns
// before, O(terms) else. Add is amortised O(size of the section added).
// Copying is O(1): copies share their pieces until one of them changes.
// Thread-safety: value types.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "reduction/api/copy_on_write.h"
#include "reduction/api/section.h"
#include "reduction/api/short_list.h"

namespace ranksight::reduction {

// Terms without numbers, preorder: each entry is the number of entries in
// the body that follows it (0: a run).
using Shape = ShortList<uint32_t, 4>;

struct Column {
  bool relative = false;  // values are value - rank, specials kept
  Section values;         // over the ranks of the piece, in rank order
  bool operator==(const Column&) const = default;
};

struct ParameterPiece {
  RankSet ranks;
  Shape shape;
  // Three per term in preorder: value, stride, count. Only the value column
  // may be relative.
  ShortList<Column, 3> columns;
  bool operator==(const ParameterPiece&) const = default;
};

// Most parameters are one piece.
using ParameterPieces = ShortList<ParameterPiece, 1>;

class Distribution;
class PieceIndex;

// Pieces, and where in them ranks are once that was asked for.
class IndexedPieces {
 public:
  IndexedPieces() = default;
  explicit IndexedPieces(ParameterPieces pieces) : pieces_(std::move(pieces)) {}
  IndexedPieces(const IndexedPieces& other) : pieces_(other.pieces_) {}
  IndexedPieces(IndexedPieces&& other) noexcept;
  IndexedPieces& operator=(const IndexedPieces&) = delete;
  ~IndexedPieces();

  const ParameterPieces& get() const { return pieces_; }
  ParameterPieces& Change();
  // Makes it when it is called first, by as many threads as like.
  const PieceIndex& MakeIndex() const;
  const PieceIndex* index() const {
    return index_.load(std::memory_order_acquire);
  }

 private:
  ParameterPieces pieces_;
  mutable std::atomic<const PieceIndex*> index_ = nullptr;
};

class Parameter {
 public:
  // All ranks' values kept as a distribution only (distribution.h): then
  // there are no pieces, and no rank has a sequence.
  static Parameter Of(Distribution d);
  const Distribution* distribution() const { return distribution_.get(); }
  // Appends the sequence of a rank. REQUIRES: rank is greater than every
  // rank present. ranked: values may be held relative to the rank. An empty
  // section adds nothing.
  void Add(int64_t rank, const Section& section, bool ranked);
  // Adds all of other. Ranks may interleave; those present on both sides
  // keep this side's sequence. Where one side is a distribution, both become
  // one.
  void Merge(Parameter other, bool ranked);
  // The sequence of a rank; empty when it has none.
  Section At(int64_t rank) const;
  bool Has(int64_t rank) const;
  // Every rank that has one with its sequence, ranks ascending. O(size of
  // all the sections), less than At for each.
  std::vector<std::pair<int64_t, Section>> ByRank() const;
  // All ranks with a sequence, ascending.
  RankSet Ranks() const;
  // Whether no rank has any value.
  bool empty() const { return pieces().empty() && distribution_ == nullptr; }
  const ParameterPieces& pieces() const { return pieces_.get().get(); }
  // Equal and not nullptr only where two share their pieces, as copies do.
  const void* identity() const { return pieces_.identity(); }
  // Whether another shares the pieces.
  bool is_shared() const { return pieces_.is_shared(); }
  // The ranks low <= r < high, each renamed r + delta; what is held relative
  // to the own rank stays so (and means the new rank). A distribution knows
  // no ranks and stays whole.
  Parameter Slice(int64_t low, int64_t high, int64_t delta) const;
  // For decoders: checks the invariants; false leaves *out empty.
  static bool FromPieces(ParameterPieces pieces, Parameter* out);
  bool operator==(const Parameter& other) const;

 private:
  void MergeDistribution(Distribution all);
  void AppendAll(Parameter other);
  ParameterPieces& ChangePieces() { return pieces_.Change().Change(); }
  CopyOnWrite<IndexedPieces> pieces_;
  std::shared_ptr<const Distribution> distribution_;  // immutable, so shared
};

}  // namespace ranksight::reduction
