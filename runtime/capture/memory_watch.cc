#include "runtime/capture/memory_watch.h"

namespace ranksight::runtime {
namespace {

constexpr uint64_t kKib = 1024;

// In whole KiB, so that sums over ranks are exact.
uint64_t Without(uint64_t own, uint64_t all) {
  return (all - std::min(all, own)) / kKib * kKib;
}

}  // namespace

void MemoryWatch::Start(std::optional<uint64_t> resident_bytes,
                        const OwnMemory& own) {
  if (!resident_bytes) return;
  start_ = Without(own.all_bytes(), *resident_bytes);
  Sample(0, resident_bytes, own);
}

void MemoryWatch::Sample(int64_t since_init_ns,
                         std::optional<uint64_t> resident_bytes,
                         const OwnMemory& own) {
  next_ns_ = since_init_ns + along_.PeriodNs() / 2;
  if (!resident_bytes) return;
  const uint64_t program = Without(own.all_bytes(), *resident_bytes);
  along_.Add(since_init_ns, program / kKib);
  most_of_program_ = std::max(most_of_program_, program);
  if (*resident_bytes <= most_bytes_) return;
  most_bytes_ = *resident_bytes;
  own_then_ = own.all_bytes();
}

reduction::RunMemory MemoryWatch::Finish(const std::optional<Resident>& now,
                                         const OwnMemory& own) const {
  reduction::RunMemory memory;
  if (!now) {
    memory.unknown = 1;
    return memory;
  }
  const uint64_t end = Without(own.all_bytes(), now->all_bytes);
  // The system knows the peak, not what of it was ours; our part is taken as it
  // was at the highest sample.
  const bool seen = most_bytes_ > 0;
  const uint64_t peak =
      Without(seen ? own_then_ : own.all_bytes(), now->most_bytes);
  if (start_) memory.start.Add(double(*start_));
  memory.peak.Add(double(std::max({peak, end, most_of_program_})));
  memory.end.Add(double(end));
  memory.files.Add(double(Without(own.file_bytes, now->file_bytes)));
  memory.shared.Add(double(now->shared_bytes));
  memory.own.Add(double(own.all_bytes()));
  memory.along = along_;
  return memory;
}

}  // namespace ranksight::runtime
