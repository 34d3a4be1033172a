// Section: a compressed sequence of 64-bit integers, the one mechanism for
// peers, counts, tags, trip counts, request offsets, colours, rank sets.
//
// A section is a list of terms. A term without a body is a run: value,
// value + stride, ... (count values). A term with a body repeats that body
// count times, adding stride to every value each time round: the nested
// regular section of Havlak and Kennedy (1991), with lists allowed inside.
//
// Invariants:
//  1. Every term has count >= 1; a term with a body has count >= 2, value 0.
//  2. A run with count 1 has stride 0.
//  3. Append(v1), Append(v2), ... yields the same terms for the same values,
//     whatever batches they came in: the form depends on the values alone.
//
// Complexity: Append is amortised O(window) in the worst case and O(1) while
// the sequence keeps repeating; At is O(terms) from the nearer end.
// Thread-safety: as thread-safe as std::vector.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "reduction/api/short_list.h"

namespace ranksight::reduction {

struct Term {
  int64_t value = 0;   // first value of a run; 0 for a term with a body
  int64_t stride = 0;  // added from one value, or one repetition, to the next
  uint64_t count = 1;  // values of a run, or repetitions of the body
  std::vector<Term> body;

  bool operator==(const Term&) const = default;
};

// Most columns over ranks, and most parameters of one rank, are a single run.
using TermList = ShortList<Term, 1>;

class TailIndex;

class Section {
 public:
  Section() = default;
  Section(const Section& other) : size_(other.size_), terms_(other.terms_) {}
  Section& operator=(const Section& other);
  Section(Section&& other) noexcept = default;
  Section& operator=(Section&& other) noexcept = default;
  // The section count times v.
  static Section Constant(int64_t v, uint64_t count);
  // The section first, first+stride, ... (count values).
  static Section Run(int64_t first, int64_t stride, uint64_t count);
  static Section Of(std::span<const int64_t> values);
  // Takes terms as they are, for decoders. Returns false (and stays empty)
  // when they break an invariant, nest deeper than kMaxDepth, or hold more
  // than 2^62 values.
  static bool FromTerms(std::vector<Term> terms, Section* out);
  static constexpr int kMaxDepth = 32;

  void Append(int64_t v);
  // Appends v count times.
  void AppendRun(int64_t v, uint64_t count);
  // Appends the values of block, count times over: O(1) in count once the
  // repetition has become a term of its own.
  void AppendRepeated(std::span<const int64_t> block, uint64_t count);
  // Appends all values of other, folding across the joint.
  void Append(const Section& other);

  uint64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  // True when all values are equal (also when empty).
  bool IsConstant() const;
  // REQUIRES: i < size().
  int64_t At(uint64_t i) const;
  // Sum of all values, modulo 2^64.
  int64_t Sum() const;
  int64_t Min() const;  // REQUIRES: !empty()
  int64_t Max() const;  // REQUIRES: !empty()
  // The first min(limit, size()) values.
  std::vector<int64_t> Expand(uint64_t limit = UINT64_MAX) const;
  std::span<const Term> terms() const { return {terms_.data(), terms_.size()}; }

  // What it has allocated, roughly. O(1).
  uint64_t memory_bytes() const;

  // Same values in the same order (compares without expanding where the
  // terms agree, by cursor where they do not).
  bool SameValues(const Section& other) const;
  // Same terms.
  bool operator==(const Section& other) const {
    return std::equal(terms_.begin(), terms_.end(), other.terms_.begin(),
                      other.terms_.end());
  }

 private:
  // How many terms a section has that follows no rule: what comes is looked
  // through for short repetitions only, so that it costs little. Doubling it
  // takes up to a millisecond more for each such section.
  static constexpr size_t kIrregular = 4096;
  // Doubling it finds periods of up to twice as many terms there, and takes
  // twice as long.
  static constexpr size_t kIrregularWindow = 8;
  // Longest body looked for among repetitions that move by a stride.
  static constexpr size_t kShiftWindow = 16;
  // A run of equal values longer than this is folded when it ends, a shorter
  // one at each value. Smaller saves time on long runs; larger folds more
  // sections whose last run is still growing when they are read.
  static constexpr uint64_t kOpenRun = 64;

  void AppendOne(int64_t v);
  bool ExtendLastRun(int64_t v);
  bool UnrollToExtend(int64_t v);
  bool GrowOnlyRun(int64_t v, uint64_t count);
  bool LongRunOf(int64_t v) const;
  bool ExtendOnlyRun(const Section& other);
  void AppendAll(std::span<const int64_t> block);
  bool StandsAlone(size_t repetition) const;
  size_t Window() const;
  void FoldTail();
  bool ExtendRepetition();
  bool CreateRepetition();
  bool CreateStridedRun();
  bool CreateShiftedRepetition();
  void Push(Term t);
  void DropLast(size_t count);
  void Replace(size_t drop, Term t);

  uint64_t size_ = 0;
  TermList terms_;
  // For the search back only, made again where it does not end with terms_;
  // none until a section grows beyond a run. Not copied.
  struct TailDeleter {
    void operator()(TailIndex* tail) const;
  };
  std::unique_ptr<TailIndex, TailDeleter> tail_;
};

// Walks a section value by value in constant memory (depth of nesting).
// REQUIRES: the section outlives the cursor and does not change.
class SectionCursor {
 public:
  SectionCursor() = default;
  explicit SectionCursor(const Section* section);
  bool done() const { return left_ == 0; }
  uint64_t left() const { return left_; }
  // REQUIRES: !done().
  int64_t Next();
  // The next value and how many times it follows itself within the run at
  // hand (at least 1); goes past all of them. REQUIRES: !done().
  int64_t NextRun(uint64_t* count);

 private:
  struct Level {
    std::span<const Term> terms;
    size_t index;    // term being walked
    uint64_t round;  // repetition (body) or position (run) within it
    int64_t shift;   // added to every value at this level
  };
  void Settle();
  void Advance();
  std::vector<Level> stack_;
  uint64_t left_ = 0;
};

// A set of ranks: a section of strictly ascending values.
using RankSet = Section;
// Position of rank in set, or -1. O(terms).
int64_t PositionOf(const RankSet& set, int64_t rank);

}  // namespace ranksight::reduction
