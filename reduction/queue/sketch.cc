#include "reduction/api/sketch.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ranksight::reduction {

void Moments::Merge(const Moments& other) {
  if (other.count == 0) return;
  min = count == 0 ? other.min : std::min(min, other.min);
  max = count == 0 ? other.max : std::max(max, other.max);
  count += other.count;
  sum += other.sum;
  sum_squares += other.sum_squares;
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

void Sketch::AddToBucket(int bucket, uint64_t n) {
  if (counts_.empty()) {
    first_ = bucket;
    counts_.push_back(n);
    return;
  }
  if (bucket < first_) {
    counts_.insert(counts_.begin(), size_t(first_ - bucket), 0);
    first_ = bucket;
  } else if (size_t(bucket - first_) >= counts_.size()) {
    counts_.resize(size_t(bucket - first_) + 1);
  }
  counts_[size_t(bucket - first_)] += n;
}

void Sketch::Merge(const Sketch& other) {
  moments_.Merge(other.moments_);
  for (size_t i = 0; i < other.counts_.size(); ++i) {
    if (other.counts_[i] != 0) {
      AddToBucket(other.first_ + int(i), other.counts_[i]);
    }
  }
}

void Sketch::Scale(double factor) {
  moments_.sum *= factor;
  moments_.sum_squares *= factor * factor;
  moments_.min *= factor;
  moments_.max *= factor;
  const std::vector<uint64_t> counts = std::move(counts_);
  const int first = first_;
  counts_.clear();
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    const double ns = BucketValue(first + int(i)) * factor;
    AddToBucket(BucketOf(uint64_t(std::clamp(ns, 0.0, 9e18))), counts[i]);
  }
}

double Sketch::Quantile(double q) const {
  if (moments_.count == 0) return 0;
  const double wanted = q * double(moments_.count);
  double seen = 0;
  for (size_t i = 0; i < counts_.size(); ++i) {
    seen += double(counts_[i]);
    if (seen >= wanted && counts_[i] != 0) {
      return std::clamp(BucketValue(first_ + int(i)), moments_.min,
                        moments_.max);
    }
  }
  return moments_.max;
}

void Sketch::Restore(const Moments& m, int first,
                     std::vector<uint64_t> counts) {
  moments_ = m;
  first_ = first;
  counts_ = std::move(counts);
}

void TimePair::MakeRoomFor(const Durations& d) {
  compute_.MakeRoomFor(d.compute_bucket);
  call_.MakeRoomFor(d.call_bucket);
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
  sum_ = other.sum_;
  sum_squares_ = other.sum_squares_;
  min_ = other.min_;
  max_ = other.max_;
  count_ = other.count_;
  compute_.CopyFrom(other.compute_);
  call_.CopyFrom(other.call_);
  return *this;
}

Sketch TimePair::SketchOf(const Buckets& buckets, int i) const {
  Sketch sketch;
  if (count_ == 0) return sketch;
  sketch.Restore({count_, sum_[i], sum_squares_[i], min_[i], max_[i]},
                 buckets.first,
                 {buckets.counts.get(), buckets.counts.get() + buckets.size});
  return sketch;
}

void EventTimes::Merge(const EventTimes& other) {
  first_compute.Merge(other.first_compute);
  first_call.Merge(other.first_call);
  compute.Merge(other.compute);
  call.Merge(other.call);
  rank_compute.Merge(other.rank_compute);
  rank_call.Merge(other.rank_call);
}

double EventTimes::ComputeShareBetweenRanks() const {
  const double total = compute.moments().Variance();
  const uint64_t ranks = rank_compute.count;
  if (total <= 0 || ranks < 2) return 0;
  const double between = rank_compute.Variance();
  const double within = std::max(0.0, total - between);
  const double per_rank =
      std::max(1.0, double(compute.moments().count) / double(ranks));
  return std::clamp((between - within / per_rank) / total, 0.0, 1.0);
}

}  // namespace ranksight::reduction
