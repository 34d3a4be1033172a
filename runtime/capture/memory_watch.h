// What this rank holds in memory along its run, what the runtime holds itself
// taken off. A sample is a file of /proc read, some 2 us: two for each period
// of the timeline, which become longer with the run, so no run has more than a
// few hundred.
//
// The most there was is the system's number, which no sample can miss; what was
// ours then is taken to be what was ours when a sample saw most.
// Thread-safety: one caller at a time (the recorder's lock).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "reduction/api/memory.h"
#include "runtime/capture/resident.h"

namespace ranksight::runtime {

// Bytes that are ours, of a file's pages and others.
struct OwnMemory {
  uint64_t file_bytes = 0, other_bytes = 0;
  uint64_t all_bytes() const { return file_bytes + other_bytes; }
};

class MemoryWatch {
 public:
  // As MPI_Init returns. resident: nothing where the system does not say.
  void Start(std::optional<uint64_t> resident_bytes, const OwnMemory& own);
  void Sample(int64_t since_init_ns, std::optional<uint64_t> resident_bytes,
              const OwnMemory& own);
  // When it is time for another sample.
  int64_t next_ns() const { return next_ns_; }
  // What there is to say of this rank when it holds that.
  reduction::RunMemory Finish(const std::optional<Resident>& now,
                              const OwnMemory& own) const;

 private:
  std::optional<uint64_t> start_;
  // Of the sample that saw most: all, and what of it was ours.
  uint64_t most_bytes_ = 0, own_then_ = 0;
  uint64_t most_of_program_ = 0;
  int64_t next_ns_ = reduction::MemoryTimeline::kShortestNs / 2;
  reduction::MemoryTimeline along_;
};

}  // namespace ranksight::runtime
