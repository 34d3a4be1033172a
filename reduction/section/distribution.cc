#include "reduction/api/distribution.h"

#include <algorithm>
#include <numeric>

#include "reduction/api/contract.h"

namespace ranksight::reduction {
namespace {

int BucketOf(int64_t value) {
  return value <= 0 ? 0 : Sketch::BucketOf(uint64_t(value));
}

// The bucket above holds values from here on.
uint64_t EndOfBucket(int bucket) {
  if (bucket < 4) return uint64_t(bucket) + 1;
  const int octave = (bucket - 4) / 4, quarter = (bucket - 4) % 4;
  return uint64_t(4 + quarter + 1) << octave;
}

uint64_t Magnitude(int64_t stride) {
  return stride < 0 ? uint64_t{0} - uint64_t(stride) : uint64_t(stride);
}

// How many of `count` values, the first of them `value`, lie in its bucket.
uint64_t StayInBucket(int64_t value, int64_t stride, uint64_t count) {
  if (stride == 0) return count;
  const int bucket = BucketOf(value);
  uint64_t room = 0;  // how far it may move
  if (stride > 0) {
    room = EndOfBucket(bucket) - 1 - uint64_t(value);
  } else if (bucket == 0) {
    return count;
  } else {
    room = uint64_t(value) - EndOfBucket(bucket - 1);
  }
  return std::min(count, room / Magnitude(stride) + 1);
}

}  // namespace

void Distribution::Add(int64_t value, uint64_t times) {
  if (times == 0) return;
  min_ = count_ == 0 ? value : std::min(min_, value);
  max_ = count_ == 0 ? value : std::max(max_, value);
  count_ += times;
  sum_ = int64_t(uint64_t(sum_) + uint64_t(value) * times);
  sum_squares_ += double(value) * double(value) * double(times);
  buckets_.Add(BucketOf(value), times);
}

void Distribution::EndRank() {
  if (count_ > 0) ranks_.Add(double(sum_));
}

// A bucket's share at a time: buckets hold consecutive values, so a run
// visits each at most once. Sums by closed formulas.
void Distribution::AddRun(int64_t value, int64_t stride, uint64_t count,
                          uint64_t times) {
  while (count > 0) {
    const uint64_t n = StayInBucket(value, stride, count);
    const uint64_t last_step = n - 1;
    const auto step_sum = uint64_t((unsigned __int128)n * last_step / 2);
    const auto last = int64_t(uint64_t(value) + uint64_t(stride) * last_step);
    const int64_t low = std::min(value, last), high = std::max(value, last);
    min_ = count_ == 0 ? low : std::min(min_, low);
    max_ = count_ == 0 ? high : std::max(max_, high);
    count_ += n * times;
    sum_ = int64_t(uint64_t(sum_) +
                   times * (uint64_t(value) * n + uint64_t(stride) * step_sum));
    // Squares of v, v + d, ..., v + (k - 1)d: k v^2 + 2 v d sum(i) + d^2
    // sum(i^2), by the closed forms of both sums.
    const double v = double(value), d = double(stride), k = double(n);
    sum_squares_ += double(times) * (k * v * v + v * d * k * (k - 1) +
                                     d * d * (k - 1) * k * (2 * k - 1) / 6);
    buckets_.Add(BucketOf(value), n * times);
    value = int64_t(uint64_t(last) + uint64_t(stride));
    count -= n;
  }
}

void Distribution::AddTerms(std::span<const Term> terms, int64_t shift,
                            uint64_t times) {
  for (const Term& t : terms) {
    if (t.body.empty()) {
      AddRun(shift + t.value, t.stride, t.count, times);
    } else if (t.stride == 0) {
      AddTerms(t.body, shift, times * t.count);
    } else {
      for (uint64_t i = 0; i < t.count; ++i) {
        AddTerms(t.body, shift + int64_t(i) * t.stride, times);
      }
    }
  }
}

Distribution Distribution::Of(const Section& values) {
  Distribution d;
  d.Add(values);
  d.EndRank();
  return d;
}

void Distribution::Add(const Section& values) {
  AddTerms(values.terms(), 0, 1);
}

void Distribution::Merge(const Distribution& other) {
  if (other.count_ == 0) return;
  min_ = count_ == 0 ? other.min_ : std::min(min_, other.min_);
  max_ = count_ == 0 ? other.max_ : std::max(max_, other.max_);
  count_ += other.count_;
  sum_ = int64_t(uint64_t(sum_) + uint64_t(other.sum_));
  sum_squares_ += other.sum_squares_;
  buckets_.Merge(other.buckets_);
  ranks_.Merge(other.ranks_);
}

Sketch Distribution::sketch() const {
  Moments m;
  m.count = count_;
  m.sum = double(sum_);
  m.sum_squares = sum_squares_;
  m.min = double(min_);
  m.max = double(max_);
  Sketch s;
  s.Restore(m, buckets_.first, buckets_.counts);
  return s;
}

bool Distribution::Restore(const Sketch& s, int64_t min, int64_t max,
                           int64_t sum, const Moments& ranks,
                           Distribution* out) {
  RANKSIGHT_REQUIRE(out != nullptr);
  *out = Distribution();
  const auto& counts = s.counts();
  const uint64_t total =
      std::accumulate(counts.begin(), counts.end(), uint64_t{0});
  // What no recording gives is damage: the decoder refuses it.
  if (total == 0 || total != s.moments().count || min > max ||
      ranks.count == 0 || ranks.count > total) {
    return false;
  }
  out->count_ = total;
  out->sum_ = sum;
  out->min_ = min;
  out->max_ = max;
  out->sum_squares_ = s.moments().sum_squares;
  out->buckets_ = {s.first_bucket(), counts};
  out->ranks_ = ranks;
  return true;
}

}  // namespace ranksight::reduction
