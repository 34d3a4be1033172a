// Time sketches of fixed size that merge exactly: sums and extremes are
// exact, quantiles have bounded relative error (log-linear buckets in the
// manner of HDR histograms, 4 per octave: at most 12.5 %).
//
// All durations are nanoseconds. Merge is associative and commutative but
// for the rounding of the double sums.
// Thread-safety: value types.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ranksight::reduction {

struct Moments {
  uint64_t count = 0;
  double sum = 0;
  double sum_squares = 0;
  double min = 0;  // 0 when count == 0
  double max = 0;

  void Add(double v) {
    min = count == 0 ? v : std::min(min, v);
    max = count == 0 ? v : std::max(max, v);
    ++count;
    sum += v;
    sum_squares += v * v;
  }
  void Merge(const Moments& other);
  double Mean() const { return count == 0 ? 0 : sum / double(count); }
  // Population variance, never negative.
  double Variance() const;
  bool operator==(const Moments&) const = default;
};

class Sketch {
 public:
  // Buckets: 0..3 hold 0..3 ns, then 4 per octave up to 2^63 ns, the longest
  // duration there is.
  static constexpr int kBuckets = 4 + 61 * 4;
  static int BucketOf(uint64_t ns) {
    if (ns < 4) return int(ns);
    const int exponent = std::bit_width(ns) - 1;
    const int quarter = int((ns >> (exponent - 2)) & 3);
    return 4 + (exponent - 2) * 4 + quarter;
  }
  // Middle of a bucket in nanoseconds.
  static double BucketValue(int bucket);

  void Add(uint64_t ns) {
    moments_.Add(double(int64_t(ns)));  // below 2^63: one instruction
    AddToBucket(BucketOf(ns), 1);
  }
  void Merge(const Sketch& other);
  // Multiplies every duration by factor > 0 (for forecasts).
  void Scale(double factor);
  // The q-quantile, 0 <= q <= 1, clamped to [min, max]; 0 when empty.
  double Quantile(double q) const;

  const Moments& moments() const { return moments_; }
  int first_bucket() const { return first_; }
  const std::vector<uint64_t>& counts() const { return counts_; }
  // For decoders. REQUIRES: 0 <= first, first + counts.size() <= kBuckets.
  void Restore(const Moments& m, int first, std::vector<uint64_t> counts);
  bool operator==(const Sketch&) const = default;

 private:
  void AddToBucket(int bucket, uint64_t n);
  Moments moments_;
  int first_ = 0;
  std::vector<uint64_t> counts_;
};

// Two sketches of the same occurrences, side by side: computation before the
// call and time in the call. Their moments are added to two at a time.
class TimePair {
 public:
  void Add(uint64_t compute_ns, uint64_t call_ns) {
    if (!HasRoomFor(compute_ns, call_ns)) MakeRoomFor(compute_ns, call_ns);
    AddInRoom(compute_ns, call_ns);
  }
  // Whether AddInRoom may be called: a caller that must be quick has a way of
  // its own for the rare case.
  bool HasRoomFor(uint64_t compute_ns, uint64_t call_ns) const {
    return compute_.Has(Sketch::BucketOf(compute_ns)) &
           call_.Has(Sketch::BucketOf(call_ns));
  }
  void MakeRoomFor(uint64_t compute_ns, uint64_t call_ns);
  void AddInRoom(uint64_t compute_ns, uint64_t call_ns) {
    const Two v = {double(int64_t(compute_ns)), double(int64_t(call_ns))};
    ++count_;
    sum_ += v;
    sum_squares_ += v * v;
    min_ = v < min_ ? v : min_;
    max_ = v > max_ ? v : max_;
    ++compute_.counts[Sketch::BucketOf(compute_ns) - compute_.first];
    ++call_.counts[Sketch::BucketOf(call_ns) - call_.first];
  }
  Sketch compute() const { return SketchOf(compute_, 0); }
  Sketch call() const { return SketchOf(call_, 1); }
  uint64_t memory_bytes() const {
    return (uint64_t(compute_.size) + uint64_t(call_.size)) * sizeof(uint64_t);
  }
  TimePair() = default;
  TimePair(const TimePair& other) { *this = other; }
  TimePair& operator=(const TimePair& other);

 private:
  using Two = double __attribute__((vector_size(16)));
  static constexpr double kLongest = 1.8446744073709552e19;
  struct Buckets {
    std::unique_ptr<uint64_t[]> counts;  // of first, first + 1, ...
    int first = 0;
    int size = 0;
    bool Has(int bucket) const {
      return unsigned(bucket - first) < unsigned(size);
    }
    void MakeRoomFor(int bucket);
    void CopyFrom(const Buckets& other);
  };
  Sketch SketchOf(const Buckets& buckets, int i) const;

  Two sum_ = {}, sum_squares_ = {};
  Two min_ = {kLongest, kLongest}, max_ = {};
  uint64_t count_ = 0;
  Buckets compute_, call_;
};

// Times of one event of a trace. The first occurrence on each rank (cold
// caches, connection set-up) is kept apart from the rest. Spread between
// ranks (rank_*: one value per rank, its mean over the rest, or the first
// where there is no rest) is kept apart from jitter within a rank.
struct EventTimes {
  Moments first_compute, first_call;
  Sketch compute, call;  // all occurrences but each rank's first
  Moments rank_compute, rank_call;

  void Merge(const EventTimes& other);
  // Total over all occurrences and ranks, nanoseconds.
  double TotalCompute() const {
    return first_compute.sum + compute.moments().sum;
  }
  double TotalCall() const { return first_call.sum + call.moments().sum; }
  // Share of the variance of computation that lies between ranks, 0..1. What
  // the means of ranks differ by chance alone is taken off.
  double ComputeShareBetweenRanks() const;
  bool operator==(const EventTimes&) const = default;
};

}  // namespace ranksight::reduction
