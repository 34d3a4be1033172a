// What writers share that take ranks apart from one another: all cores write,
// each one rank at a time, and what the formats could not hold is added up.
// Thread-safety: the functions return when all threads have ended.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "adapters/api/adapter.h"
#include "adapters/base/output_file.h"
#include "adapters/base/rank_parts.h"
#include "reduction/api/in_parallel.h"

namespace ranksight::adapters {

// What all ranks came to.
class RankResults {
 public:
  RankResults(int64_t ranks, Conversion* total)
      : ranks_(ranks), total_(total) {}
  void Add(int64_t rank, const Conversion& own,
           const reduction::Status& status) {
    const std::lock_guard lock(mutex_);
    total_->events += own.events;
    total_->files += own.files;
    for (const auto& [what, count] : own.not_expressed) {
      total_->not_expressed[what] += count;
    }
    total_->Tell(++done_, ranks_);
    if (status.ok() || (failed_ && rank > lowest_)) return;
    status_ = status;
    lowest_ = rank;
    failed_ = true;
  }
  bool failed() const { return failed_; }
  // Of the lowest rank that failed.
  const reduction::Status& status() const { return status_; }

 private:
  std::mutex mutex_;
  const int64_t ranks_;
  int64_t done_ = 0;
  Conversion* total_;
  reduction::Status status_ = reduction::Status::Ok();
  int64_t lowest_ = 0;
  std::atomic<bool> failed_ = false;
};

// Calls write(rank, conversion) for each rank, from several threads at a time,
// with a conversion of its own, which is added to *total. After a failure
// ranks may be left out.
template <class Write>
reduction::Status ForEachRank(int64_t ranks, Conversion* total,
                              const Write& write) {
  RankResults results(ranks, total);
  reduction::InParallel(size_t(ranks), [&](size_t i) {
    if (results.failed()) return;
    Conversion own;
    const reduction::Status status = write(int64_t(i), &own);
    results.Add(int64_t(i), own, status);
  });
  return results.status();
}

// Likewise with write(rank, conversion, part), whose parts stand in the file in
// the order of ranks. begins: where each begins, may be null. Memory: what
// write needs and a part, once a core (rank_parts.h).
template <class Write>
reduction::Status WriteRanksInOrder(int64_t ranks, Conversion* total,
                                    OutputFile* file,
                                    std::vector<uint64_t>* begins,
                                    const Write& write,
                                    RankParts::Limits limits = {}) {
  RankResults results(ranks, total);
  RankParts parts(ranks, file, limits);
  reduction::InParallel(size_t(ranks), [&](size_t i) {
    RankPart part(int64_t(i), &parts);
    if (!results.failed()) {
      Conversion own;
      const reduction::Status status = write(int64_t(i), &own, &part);
      results.Add(int64_t(i), own, status);
    }
    // Also without bytes: higher ranks wait for the turn to pass.
    part.End();
  });
  if (begins != nullptr) *begins = parts.begins();
  return results.status();
}

}  // namespace ranksight::adapters
