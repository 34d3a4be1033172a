// TailIndex: what it takes to find, at the end of a list of terms, a repetition
// of what stands before it without a look at the terms themselves.
//
// It covers the last terms only, as many as the search may need. Whatever it
// says to be equal has the same hashes; the terms are still to be compared.
//
// Invariants: covers terms [first, end); what it finds depends on the terms
// alone, not on how it came to cover them.
// Complexity: every operation O(1) amortised but Cover, and finding, which is
// O(kWindow) in steps of 16 terms.
// Thread-safety: as std::vector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "reduction/api/section.h"

namespace ranksight::reduction {

class TailIndex {
 public:
  // Looks back at most this many terms for a repetition. Doubling it doubles
  // the worst cost of Append on sequences that never repeat, and finds
  // periods of up to twice as many terms.
  static constexpr size_t kWindow = 512;
  // The last terms that decide what is found: two blocks of the longest.
  static constexpr size_t kDecisive = 2 * kWindow;

  // Terms that it knows of, from the list's first; 0 where it knows none.
  size_t end() const { return first_ + size(); }
  void Clear();
  // Makes it know of the last of these terms, as many as may be needed.
  void Cover(std::span<const Term> terms);
  // Whether it knows of all that decides. REQUIRES: end() terms are there.
  bool IsEnough() const { return first_ == 0 || size() >= kDecisive; }

  void Push(const Term& term);
  // Forgets all terms from this one on. REQUIRES: end >= first known.
  void Cut(size_t end);
  // Of the terms, as many as it knows of, those from this one on have changed.
  void Update(std::span<const Term> terms, size_t from);
  // The same for the last one.
  void UpdateLast(const Term& term);

  // How many terms, the last ones, are one round of a repetition that stands
  // right before them; the next such number above `above` and up to `window`;
  // 0 if there is none. REQUIRES: window <= kWindow.
  size_t FindRound(size_t above, size_t window) const;
  // How many terms, the last ones, stand twice in a row at the end; the next
  // such number above `above` and up to `window`, 0 if there is none.
  size_t FindSquare(size_t above, size_t window) const;

  // How many terms, the last ones, may be the third of three blocks each of
  // which is the one before with one and the same number, not 0, added to every
  // value; the next such number above `above` and up to `most`, 0 if there is
  // none. Passes over none that are. REQUIRES: 3 * most <= terms known.
  size_t FindShift(size_t above, size_t most) const;

  uint64_t memory_bytes() const;

 private:
  // What is known of a term.
  struct Known {
    uint64_t sum;    // hash of all terms known up to and with it
    int64_t value;   // its first
    uint32_t round;  // where the next round would end; kNever for a run
    uint32_t hash;   // of it alone
  };
  // Of more terms than a few, a byte each of what is searched for.
  struct Bytes;
  struct BytesDeleter {
    void operator()(Bytes* bytes) const;
  };

  void Add(const Term& term);
  void NoteBytes(size_t place);
  void Forget(size_t count);
  bool IsSquare(size_t length) const;
  uint8_t GroupByte(size_t place) const;
  size_t size() const { return known_.size(); }

  size_t first_ = 0;
  std::vector<Known> known_;
  std::unique_ptr<Bytes, BytesDeleter> bytes_;
  size_t repetitions_ = 0;
  size_t longest_ = 0;  // no repetition known has a longer body
};

}  // namespace ranksight::reduction
