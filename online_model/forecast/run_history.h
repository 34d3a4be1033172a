// The times of a program's newest runs in the order they began, and whether
// they shifted: a changed machine, a library, a neighbour that stays.
//
// For every moment between two runs, the runs of the same rank count before
// and after it are compared, all rank counts together (a two-sample t-test of
// log times, pooled spread). The moment at which they differ most counts when
// the difference is far beyond the spread, so far that chance makes it in one
// program of a hundred, and at least two percent.
//
// Invariant: holds at most kMostRuns runs, the newest.
// Thread-safety: value types. Complexity: FindDrift is O(runs * sizes).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "online_model/api/forecast.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

struct TimedRun {
  int64_t start_unix_ns = 0, ranks = 1;
  double seconds = 0;
  std::string job;
};

class RunHistory {
 public:
  static constexpr size_t kMostRuns = 256;

  // Runs that began at the same time stay in the order they were added.
  void Add(TimedRun run);
  const std::vector<TimedRun>& runs() const { return runs_; }

  struct Shift {
    Drift drift;
    double spread = 0;  // relative, of runs on one side
  };
  std::optional<Shift> FindDrift() const;

 private:
  std::vector<TimedRun> runs_;  // by start
};

}  // namespace ranksight::online_model
