#include "reduction/api/sketch.h"

#include <algorithm>
#include <cmath>
#include <utility>

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
  if (bucket < 4) return bucket;
  const int exponent = (bucket - 4) / 4 + 2;
  const int quarter = (bucket - 4) % 4;
  return std::ldexp(1.0 + (quarter + 0.5) / 4, exponent);
}

void BucketCounts::Add(int bucket, uint64_t n) {
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
  moments_ = m;
  buckets_ = {first, std::move(counts)};
}

void TimePair::MakeRoomFor(const Durations& d) {
  compute_.MakeRoomFor(d.compute_bucket());
  call_.MakeRoomFor(d.call_bucket());
}

void TimePair::Add(std::span<const Ticks> ticks, size_t period,
                   double tick_ns) {
  const Two unit = {tick_ns, tick_ns};
  const Ticks* next = ticks.data();
  const Ticks* const end = next + ticks.size();
  while (next < end) {
    // In registers while there is room.
    TwoMoments moments = moments_;
    const Buckets::Places compute(compute_), call(call_);
    for (; next < end; next += period) {
      const Durations d = next->In(unit);
      const unsigned in_compute = compute.Of(d.compute_bucket());
      const unsigned in_call = call.Of(d.call_bucket());
      if (in_compute >= compute.size || in_call >= call.size) [[unlikely]]
        break;
      moments.Add(d.ns);
      ++compute.counts[in_compute];
      ++call.counts[in_call];
    }
    moments_ = moments;
    if (next < end) MakeRoomFor(next->In(unit));
  }
}

void TimePair::Buckets::MakeRoomFor(int bucket) {
  if (Has(bucket)) return;
  const int low = size == 0 ? bucket : std::min(first, bucket);
  const int high = size == 0 ? bucket : std::max(first + size - 1, bucket);
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
                 buckets.first,
                 {buckets.counts.get(), buckets.counts.get() + buckets.size});
  return sketch;
}

}  // namespace ranksight::reduction
