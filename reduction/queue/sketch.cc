#include "reduction/api/sketch.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "reduction/api/contract.h"
#include "reduction/base/saturating.h"

namespace ranksight::reduction {

void Moments::Merge(const Moments& other) {
  if (other.count == 0) return;
  min = count == 0 ? other.min : std::min(min, other.min);
  max = count == 0 ? other.max : std::max(max, other.max);
  AddSaturating(other.count, &count);
  sum += other.sum;
  sum_squares += other.sum_squares;
}

void Moments::Scale(double factor) {
  sum *= factor;
  sum_squares *= factor * factor;
  min *= factor;
  max *= factor;
}

double Moments::Variance() const {
  if (count == 0) return 0;
  const double mean = Mean();
  return std::max(0.0, sum_squares / double(count) - mean * mean);
}

double Sketch::BucketValue(int bucket) {
  RANKSIGHT_REQUIRE(bucket >= 0 && bucket < kBuckets);
  if (bucket < 4) return bucket;
  const int exponent = (bucket - 4) / 4 + 2;
  const int quarter = (bucket - 4) % 4;
  return std::ldexp(1.0 + (quarter + 0.5) / 4, exponent);
}

void BucketCounts::Add(int bucket, uint64_t n) {
  RANKSIGHT_REQUIRE(bucket >= 0 && bucket < Sketch::kBuckets);
  if (counts.empty()) {
    first = bucket;
    counts.push_back(n);
    return;
  }
  if (bucket < first) {
    counts.insert(counts.begin(), size_t(first - bucket), 0);
    first = bucket;
  } else if (size_t(bucket - first) >= counts.size()) {
    counts.resize(size_t(bucket - first) + 1);
  }
  AddSaturating(n, &counts[size_t(bucket - first)]);
}

void BucketCounts::Merge(const BucketCounts& other) {
  for (size_t i = 0; i < other.counts.size(); ++i) {
    if (other.counts[i] != 0) Add(other.first + int(i), other.counts[i]);
  }
}

void Sketch::Merge(const Sketch& other) {
  moments_.Merge(other.moments_);
  buckets_.Merge(other.buckets_);
}

void Sketch::Scale(double factor) {
  moments_.Scale(factor);
  const BucketCounts before = std::exchange(buckets_, {});
  for (size_t i = 0; i < before.counts.size(); ++i) {
    if (before.counts[i] == 0) continue;
    const double ns = BucketValue(before.first + int(i)) * factor;
    buckets_.Add(BucketOf(uint64_t(std::clamp(ns, 0.0, 9e18))),
                 before.counts[i]);
  }
}

double Sketch::Quantile(double q) const {
  RANKSIGHT_REQUIRE(q >= 0 && q <= 1);
  if (moments_.count == 0) return 0;
  const double wanted = q * double(moments_.count);
  double seen = 0;
  for (size_t i = 0; i < counts().size(); ++i) {
    seen += double(counts()[i]);
    if (seen >= wanted && counts()[i] != 0) {
      return std::clamp(BucketValue(first_bucket() + int(i)), moments_.min,
                        moments_.max);
    }
  }
  return moments_.max;
}

void Sketch::Restore(const Moments& m, int first,
                     std::vector<uint64_t> counts) {
  RANKSIGHT_REQUIRE(first >= 0 &&
                    size_t(first) + counts.size() <= size_t(kBuckets));
  moments_ = m;
  buckets_ = {first, std::move(counts)};
}

namespace {

// From here on the last bit of a double is worth 1.
constexpr double kUnit = 0x1p52;
// The most that is below 2^63.
constexpr double kMostNs = 0x1.fffffffffffffp62;

}  // namespace

void TimePair::TwoMoments::Add(Two ns) {
  ++count;
  sum += ns;
  sum_squares += ns * ns;
  min = ns < min ? ns : min;
  max = ns > max ? ns : max;
}

void TimePair::AddOne(const Ticks& ticks, double tick_ns) {
  const auto in_ns = [tick_ns](int64_t n) {
    const double ns = std::clamp(double(n) * tick_ns, 0.0, kMostNs);
    // To the nearest, without the library of mathematics.
    return uint64_t(ns < kUnit ? ns + kUnit - kUnit : ns);
  };
  const uint64_t compute = in_ns(ticks.compute), call = in_ns(ticks.call);
  const int in_compute = Sketch::BucketOf(compute);
  const int in_call = Sketch::BucketOf(call);
  compute_.MakeRoomFor(in_compute);
  call_.MakeRoomFor(in_call);
  ++compute_.counts[size_t(in_compute - compute_.first)];
  ++call_.counts[size_t(in_call - call_.first)];
  moments_.Add(Two{double(compute), double(call)});
}

// Two events at a time, so four durations side by side: computation, call,
// computation, call.
struct TimePair::Loop {
  using Four = double __attribute__((vector_size(32)));
  using TwoNumbers = int64_t __attribute__((vector_size(16)));
  using TwoBits = uint64_t __attribute__((vector_size(16)));
  using FourNumbers = int64_t __attribute__((vector_size(32)));
  using FourBits = uint64_t __attribute__((vector_size(32)));

  [[gnu::always_inline]] static TwoBits Load(const Ticks* ticks) {
    TwoBits two;
    std::memcpy(&two, ticks, sizeof two);
    return two;
  }

  // Without a branch, a division or a conversion for each: short durations lie
  // on both sides of any limit by chance.
  [[gnu::always_inline]] static const Ticks* Add(const Ticks* next,
                                                 const Ticks* end,
                                                 size_t period, double tick_ns,
                                                 TimePair* to) {
    const auto count = size_t(end - next + ptrdiff_t(period) - 1) / period;
    const TwoMoments& m = to->moments_;
    Four sum = {m.sum[0], m.sum[1], 0, 0};
    Four squares = {m.sum_squares[0], m.sum_squares[1], 0, 0};
    Four min = {m.min[0], m.min[1], m.min[0], m.min[1]};
    Four max = {m.max[0], m.max[1], m.max[0], m.max[1]};
    uint64_t* const of_compute = to->compute_.counts.get();
    uint64_t* const of_call = to->call_.counts.get();
    const int64_t c = to->compute_.first, d = to->call_.first;
    const FourNumbers first = {c, d, c, d};
    const int64_t e = c + to->compute_.size - 1, f = d + to->call_.size - 1;
    const FourNumbers last = {e, f, e, f};
    size_t left = count;
    for (; left >= 2; left -= 2, next += 2 * period) {
      const FourBits ticks =
          __builtin_shufflevector(Load(next), Load(next + period), 0, 1, 2, 3);
      const FourBits bits = ticks + kSignedBits;
      const auto longer = FourNumbers((bits >> 52) - (kSignedBits >> 52));
      Four ns = (Four(bits) - kSigned) * tick_ns;
      ns = ns > 0 ? ns : Four{};
      const Four in_units = ns + kUnit;
      ns = in_units - kUnit;
      // As Sketch's, read off the exponent and the first bits of the mantissa.
      const auto exponents = FourNumbers((FourBits(ns) >> 50) - kOffset);
      const FourNumbers numbers = FourNumbers(in_units) - kUnitBits;
      const FourNumbers bucket = ns < 4 ? numbers : exponents;
      const FourNumbers place = bucket - first;
      const FourNumbers wrong = place | (last - bucket) | longer | -longer;
      const TwoNumbers either = __builtin_shufflevector(wrong, wrong, 0, 1) |
                                __builtin_shufflevector(wrong, wrong, 2, 3);
      if ((either[0] | either[1]) < 0) [[unlikely]]
        break;
      sum += ns;
      squares += ns * ns;
      min = ns < min ? ns : min;
      max = ns > max ? ns : max;
      ++of_compute[place[0]];
      ++of_call[place[1]];
      ++of_compute[place[2]];
      ++of_call[place[3]];
    }
    to->moments_ = {
        .sum = Two{sum[0] + sum[2], sum[1] + sum[3]},
        .sum_squares = Two{squares[0] + squares[2], squares[1] + squares[3]},
        .min = Two{std::min(min[0], min[2]), std::min(min[1], min[3])},
        .max = Two{std::max(max[0], max[2]), std::max(max[1], max[3])},
        .count = m.count + (count - left)};
    return next;
  }

 private:
  static constexpr int64_t kUnitBits = std::bit_cast<int64_t>(kUnit);
  // As kUnit, for numbers from -2^51 up to 2^51.
  static constexpr double kSigned = 0x1.8p52;
  static constexpr auto kSignedBits = std::bit_cast<uint64_t>(kSigned);
  static constexpr uint64_t kOffset = 4 * 1023 + 4;
};

const TimePair::Ticks* TimePair::AddTwos(const Ticks* next, const Ticks* end,
                                         size_t period, double tick_ns) {
  return Loop::Add(next, end, period, tick_ns, this);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]]
#endif
const TimePair::Ticks*
TimePair::AddTwosWide(const Ticks* next, const Ticks* end, size_t period,
                      double tick_ns) {
  return Loop::Add(next, end, period, tick_ns, this);
}

void TimePair::Add(std::span<const Ticks> ticks, size_t period,
                   double tick_ns) {
  RANKSIGHT_REQUIRE(period > 0);
  RANKSIGHT_REQUIRE(tick_ns > 0);
#if defined(__x86_64__)
  static const bool wide = __builtin_cpu_supports("avx2") != 0;
#else
  constexpr bool wide = false;
#endif
  const Ticks* next = ticks.data();
  const Ticks* const end = next + ticks.size();
  while (next < end) {
    // Two at a time while there are two; AddTwos may leave one, which is added
    // alone.
    if (size_t(end - next) > period) {
      next = wide ? AddTwosWide(next, end, period, tick_ns)
                  : AddTwos(next, end, period, tick_ns);
    }
    if (next < end) {
      AddOne(*next, tick_ns);
      next += period;
    }
  }
}

void TimePair::Buckets::MakeRoomFor(int64_t bucket) {
  if (size != 0 && bucket >= first && bucket < first + size) return;
  const int64_t low = size == 0 ? bucket : std::min(first, bucket);
  const int64_t high = size == 0 ? bucket : std::max(first + size - 1, bucket);
  auto more = std::make_unique<uint64_t[]>(size_t(high - low + 1));
  std::copy_n(counts.get(), size, more.get() + (size == 0 ? 0 : first - low));
  counts = std::move(more);
  first = low;
  size = high - low + 1;
}

void TimePair::Buckets::CopyFrom(const Buckets& other) {
  counts = std::make_unique<uint64_t[]>(size_t(other.size));
  std::copy_n(other.counts.get(), other.size, counts.get());
  first = other.first;
  size = other.size;
}

TimePair& TimePair::operator=(const TimePair& other) {
  if (this == &other) return *this;
  moments_ = other.moments_;
  compute_.CopyFrom(other.compute_);
  call_.CopyFrom(other.call_);
  return *this;
}

Sketch TimePair::SketchOf(const Buckets& buckets, int i) const {
  Sketch sketch;
  const TwoMoments& m = moments_;
  if (m.count == 0) return sketch;
  sketch.Restore({m.count, m.sum[i], m.sum_squares[i], m.min[i], m.max[i]},
                 int(buckets.first),
                 {buckets.counts.get(), buckets.counts.get() + buckets.size});
  return sketch;
}

}  // namespace ranksight::reduction
