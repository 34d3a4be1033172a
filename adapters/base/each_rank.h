// What writers of a file for each rank share: all cores write, each one rank
// at a time, and what the formats could not hold is added up.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "adapters/api/adapter.h"
#include "reduction/api/in_parallel.h"

namespace ranksight::adapters {

// Calls write(rank, conversion) for each rank, from several threads at a time,
// with a conversion of its own, which is added to *total. After a failure
// ranks may be left out; of several failures that of the lowest rank is
// returned.
template <class Write>
reduction::Status ForEachRank(int64_t ranks, Conversion* total,
                              const Write& write) {
  std::mutex mutex;  // of what follows, and of *total
  reduction::Status status = reduction::Status::Ok();
  int64_t failed = ranks;
  std::atomic<bool> stop = false;
  reduction::InParallel(size_t(ranks), [&](size_t i) {
    if (stop) return;
    Conversion own;
    const auto rank = int64_t(i);
    const reduction::Status done = write(rank, &own);
    const std::lock_guard lock(mutex);
    total->events += own.events;
    total->files += own.files;
    for (const auto& [what, count] : own.not_expressed) {
      total->not_expressed[what] += count;
    }
    if (done.ok() || rank > failed) return;
    status = done;
    failed = rank;
    stop = true;
  });
  return status;
}

}  // namespace ranksight::adapters
