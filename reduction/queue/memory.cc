#include "reduction/api/memory.h"

#include <algorithm>
#include <utility>

#include "reduction/base/saturating.h"

namespace ranksight::reduction {

void MemoryLevel::Merge(const MemoryLevel& other) {
  if (other.count == 0) return;
  min_kib = count == 0 ? other.min_kib : std::min(min_kib, other.min_kib);
  max_kib = std::max(max_kib, other.max_kib);
  AddSaturating(other.count, &count);
  AddSaturating(other.sum_kib, &sum_kib);
}

double MemoryLevel::MeanBytes() const {
  constexpr double kKib = 1024;
  return count == 0 ? 0 : double(sum_kib) / double(count) * kKib;
}

void MemoryTimeline::Add(int64_t since_init_ns, uint64_t kib) {
  const int64_t at = std::max<int64_t>(since_init_ns, 0);
  while (at / PeriodNs() >= int64_t(kPeriods) && doublings_ < kMostDoublings) {
    Double();
  }
  const auto i = std::min(size_t(at / PeriodNs()), kPeriods - 1);
  if (periods_.size() <= i) periods_.resize(i + 1);
  periods_[i].Add(kib);
}

void MemoryTimeline::Double() {
  ++doublings_;
  for (size_t i = 0; 2 * i < periods_.size(); ++i) {
    MemoryLevel both = periods_[2 * i];
    if (2 * i + 1 < periods_.size()) both.Merge(periods_[2 * i + 1]);
    periods_[i] = both;
  }
  periods_.resize((periods_.size() + 1) / 2);
}

void MemoryTimeline::Merge(MemoryTimeline other) {
  while (doublings_ < other.doublings_) Double();
  while (other.doublings_ < doublings_) other.Double();
  periods_.resize(std::max(periods_.size(), other.periods_.size()));
  for (size_t i = 0; i < other.periods_.size(); ++i) {
    periods_[i].Merge(other.periods_[i]);
  }
}

void MemoryTimeline::Restore(int doublings, std::vector<MemoryLevel> periods) {
  doublings_ = doublings;
  periods_ = std::move(periods);
}

void RunMemory::Merge(const RunMemory& other) {
  start.Merge(other.start);
  peak.Merge(other.peak);
  end.Merge(other.end);
  files.Merge(other.files);
  shared.Merge(other.shared);
  own.Merge(other.own);
  AddSaturating(other.unknown, &unknown);
  along.Merge(other.along);
}

}  // namespace ranksight::reduction
