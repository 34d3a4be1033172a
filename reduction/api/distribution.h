// Distribution: what is kept of a parameter's values where the values
// themselves are not kept: how many, their sum, least and most, exact; their
// quantiles with bounded relative error (the buckets of Sketch); and how far
// the ranks' own sums lie apart. Of fixed size, whatever was added.
//
// For amounts only (IsAmount): a rank's structure, peers and tags are never
// held so. A trace that holds one is lossy and says so (Meta::losses,
// kLossOfValues); streams of values cannot be had from it.
//
// Invariants: min <= max; the buckets' counts add up to count; ranks.count
// is the number of ranks that added values.
// Merge is commutative and associative but for the rounding of the sums of
// squares. Sums are modulo 2^64.
// Thread-safety: value type.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reduction/api/call.h"
#include "reduction/api/section.h"
#include "reduction/api/sketch.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::reduction {

class Distribution {
 public:
  // Of one rank's values. O(terms) where they repeat.
  static Distribution Of(const Section& values);

  // A value that one rank has `times` times. Values below 0 count in the
  // lowest bucket. Cost of a few additions.
  void Add(int64_t value, uint64_t times = 1);
  // All of a section's. O(terms) where they repeat.
  void Add(const Section& values);
  // Says that all values so far are of one rank; once, after the last Add.
  void EndRank();
  // REQUIRES: both are of whole ranks (EndRank was called).
  void Merge(const Distribution& other);

  uint64_t count() const { return count_; }
  int64_t sum() const { return sum_; }
  int64_t min() const { return min_; }  // 0 when count() == 0
  int64_t max() const { return max_; }
  double Mean() const {
    return count_ == 0 ? 0 : double(sum_) / double(count_);
  }
  // The q-quantile, 0 <= q <= 1, at most 12.5 % off, within [min, max].
  double Quantile(double q) const { return sketch().Quantile(q); }
  // One value for each rank: the sum of its values.
  const Moments& ranks() const { return ranks_; }
  // The same as a sketch, its sums rounded to doubles.
  Sketch sketch() const;
  uint64_t memory_bytes() const {
    return sizeof *this + buckets_.counts.capacity() * sizeof(uint64_t);
  }

  // For decoders: false when an invariant does not hold. s's moments give
  // count, min, max and the sum of squares; its buckets the counts.
  static bool Restore(const Sketch& s, int64_t min, int64_t max, int64_t sum,
                      const Moments& ranks, Distribution* out);
  bool operator==(const Distribution&) const = default;

 private:
  void AddRun(int64_t value, int64_t stride, uint64_t count, uint64_t times);
  void AddTerms(std::span<const Term> terms, int64_t shift, uint64_t times);

  uint64_t count_ = 0;
  int64_t sum_ = 0;
  int64_t min_ = 0, max_ = 0;
  double sum_squares_ = 0;
  BucketCounts buckets_;
  Moments ranks_;
};

// Under this name Meta::losses counts values of which only a distribution is
// left.
inline constexpr const char* kLossOfValues = "values_kept_as_distributions";

// Parameters that may be held so: how much a call moves.
bool IsAmount(Param p);

// Turns amounts that take more room than a distribution into one, and counts
// them in meta.losses; bytes in total stay exact, because an amount whose
// element size changes stays as it is. Structure, peers, tags and trip counts
// stay exact. Returns how many values the trace then keeps so. Pauses.
uint64_t KeepDistributions(Trace* trace);

// Says in meta.losses how many values are left only as distributions. For
// whoever merged traces of which some had any.
void MarkDistributions(Trace* trace);

// Ok when every value of the trace can be had; otherwise kNo, with the first
// event whose values are left only as a distribution.
Status RequireValues(const Trace& trace);

}  // namespace ranksight::reduction
