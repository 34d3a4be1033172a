// What the ranks of a run hold in memory: resident pages, in bytes, what our
// own runtime holds taken off. Distributions over ranks, so that the size does
// not grow with these.
//
// Merge is associative and commutative but for the rounding of sums of squares.
// Thread-safety: value types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reduction/api/sketch.h"

namespace ranksight::reduction {

// Samples of resident memory, in KiB.
struct MemoryLevel {
  uint64_t count = 0;
  uint64_t min_kib = 0, max_kib = 0;  // 0 when count == 0
  uint64_t sum_kib = 0;               // saturates

  void Add(uint64_t kib) { Merge({1, kib, kib, kib}); }
  void Merge(const MemoryLevel& other);
  double MeanBytes() const;
  bool operator==(const MemoryLevel&) const = default;
};

// Resident memory along the run: equal periods from MPI_Init on, which become
// twice as long, two and two in one, when the run outlasts them. Samples of all
// ranks stand together, so that what is merged later comes out the same.
class MemoryTimeline {
 public:
  // Doubling it doubles what a trace has for it, some 150 bytes.
  static constexpr size_t kPeriods = 16;
  static constexpr int64_t kShortestNs = 8'000'000;
  // Of the length, for readers of files: centuries.
  static constexpr int kMostDoublings = 40;

  void Add(int64_t since_init_ns, uint64_t kib);
  void Merge(MemoryTimeline other);
  int64_t PeriodNs() const { return kShortestNs << doublings_; }
  int doublings() const { return doublings_; }
  const std::vector<MemoryLevel>& periods() const { return periods_; }
  // For decoders. REQUIRES: both at most what is said above.
  void Restore(int doublings, std::vector<MemoryLevel> periods);
  bool operator==(const MemoryTimeline&) const = default;

 private:
  void Double();

  int doublings_ = 0;
  std::vector<MemoryLevel> periods_;  // as far as there are samples
};

// One value for each rank.
struct RunMemory {
  Moments start;   // as MPI_Init returned: the program, and MPI's own tables
  Moments peak;    // the most there was
  Moments end;     // at MPI_Finalize
  Moments files;   // of that, pages of files: programs and libraries, of which
                   // the ranks of a node have one copy
  Moments shared;  // of that, what processes share: MPI's between ranks of a
                   // node, counted for each that has touched it
  Moments own;     // what our runtime held then, taken off above
  // Ranks where the system does not say.
  uint64_t unknown = 0;
  MemoryTimeline along;

  bool IsKnown() const { return peak.count > 0; }
  void Merge(const RunMemory& other);
  bool operator==(const RunMemory&) const = default;
};

}  // namespace ranksight::reduction
