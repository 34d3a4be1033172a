// A store together with what was learned from its runs, kept in step: what
// others do to the store (`ranksight runs`) is followed.
// Invariant: runs are learned from in the order of the store, so that what is
// saved as learned has no gaps.
// Thread-safety: one thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "online_model/api/log.h"
#include "online_model/api/named_network.h"
#include "online_model/api/retention.h"
#include "online_model/api/store.h"
#include "online_model/daemon/forecasts.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

class LearnedStore {
 public:
  // network: that runs whose ranks shared cores are put on.
  LearnedStore(Store store, NamedNetwork network, Log log);

  // Learns from what is in the store, most of it as it was saved.
  reduction::Status Load();
  enum class Change : uint8_t { kNone, kRunsAdded, kRunsRemoved };
  // What others did since the last call, which is learned from.
  Change Follow();
  // Stores a run and learns from it. Nothing where its job is there already.
  // REQUIRES: trace is what `encoded` holds, and it holds no names.
  reduction::Result<std::optional<RunRecord>> Add(
      const std::vector<uint8_t>& encoded, const reduction::Trace& trace,
      const Sender& sender);
  // Removes the runs that a rule takes away, and what was learned from them;
  // how many.
  size_t Expire(std::span<const RetentionRule> rules, int64_t now_unix_ns);
  // What groups with so many new runs have learned, for the next start.
  void Save(uint64_t runs);

  bool Has(const std::string& job) const { return jobs_.contains(job); }
  Store& store() { return store_; }
  Forecasts& forecasts() { return forecasts_; }

 private:
  void Warn(const std::string& line) const {
    log_({LogLevel::kWarning, line, {}});
  }
  // What was learned from a run cannot be taken back alone.
  void LoadAgain();
  void LearnNewRuns();
  void Learn(const RunRecord& run);
  void Learn(const RunRecord& run, const reduction::Trace& trace);

  const NamedNetwork network_;
  const Log log_;
  Store store_;
  Forecasts forecasts_;
  std::set<std::string> jobs_;  // learned from
  int64_t last_number_ = 0;     // of the runs in the store that are known
  int64_t removals_ = 0;        // of the store when its runs were learned from
};

}  // namespace ranksight::online_model
