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
#include <span>
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
  void Scale(double factor);  // all values
  double Mean() const { return count == 0 ? 0 : sum / double(count); }
  // Population variance, never negative.
  double Variance() const;
  bool operator==(const Moments&) const = default;
};

// Counts of neighbouring buckets of a Sketch: of first, first + 1, ...
struct BucketCounts {
  int first = 0;
  std::vector<uint64_t> counts;

  void Add(int bucket, uint64_t n);
  void Merge(const BucketCounts& other);
  bool operator==(const BucketCounts&) const = default;
};

class Sketch {
 public:
  // Buckets: 0..3 hold 0..3 ns, then 4 per octave up to 2^63 ns, the longest
  // duration there is.
  static constexpr int kBuckets = 4 + 61 * 4;
  static int BucketOf(uint64_t ns) {
    // Without a branch: short durations lie on both sides of 4 ns by chance.
    const int octave = std::bit_width(ns | 4) - 3;
    return 4 * octave + int(ns >> octave);
  }
  // Middle of a bucket in nanoseconds.
  static double BucketValue(int bucket);

  void Add(uint64_t ns) {
    moments_.Add(double(int64_t(ns)));  // below 2^63: one instruction
    buckets_.Add(BucketOf(ns), 1);
  }
  void Merge(const Sketch& other);
  // Multiplies every duration by factor > 0 (for forecasts).
  void Scale(double factor);
  // The q-quantile, 0 <= q <= 1, clamped to [min, max]; 0 when empty.
  double Quantile(double q) const;

  const Moments& moments() const { return moments_; }
  int first_bucket() const { return buckets_.first; }
  const std::vector<uint64_t>& counts() const { return buckets_.counts; }
  // For decoders. REQUIRES: 0 <= first, first + counts.size() <= kBuckets.
  void Restore(const Moments& m, int first, std::vector<uint64_t> counts);
  bool operator==(const Sketch&) const = default;

 private:
  Moments moments_;
  BucketCounts buckets_;
};

// Two sketches of the same occurrences, side by side: computation before the
// call and time in the call. They are added to side by side, too.
class TimePair {
 public:
  // Two durations in ticks of a clock; below zero stands for zero.
  struct Ticks {
    int64_t compute, call;
  };
  // Adds what stands in every `period`-th place, from the first on. tick_ns:
  // nanoseconds in a tick.
  void Add(std::span<const Ticks> ticks, size_t period, double tick_ns);
  // REQUIRES: below 2^63.
  void Add(uint64_t compute_ns, uint64_t call_ns) {
    const Ticks one = {int64_t(compute_ns), int64_t(call_ns)};
    Add({&one, 1}, 1, 1);
  }
  uint64_t count() const { return moments_.count; }
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
  // What Moments says of each.
  struct TwoMoments {
    static constexpr double kLongest = 1.8446744073709552e19;
    Two sum = {}, sum_squares = {};
    Two min = {kLongest, kLongest}, max = {};
    uint64_t count = 0;

    void Add(Two ns);
  };
  struct Buckets {
    std::unique_ptr<uint64_t[]> counts;  // of first, first + 1, ...
    int64_t first = 0;
    int64_t size = 0;
    void MakeRoomFor(int64_t bucket);
    void CopyFrom(const Buckets& other);
  };
  void AddOne(const Ticks& ticks, double tick_ns);
  // Adds them two by two; stops, before both, at one for which there is no
  // room. Returns where.
  const Ticks* AddTwos(const Ticks* next, const Ticks* end, size_t period,
                       double tick_ns);
  const Ticks* AddTwosWide(const Ticks* next, const Ticks* end, size_t period,
                           double tick_ns);
  struct Loop;
  Sketch SketchOf(const Buckets& buckets, int i) const;

  TwoMoments moments_;
  Buckets compute_, call_;
};

}  // namespace ranksight::reduction
