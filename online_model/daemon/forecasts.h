// One Forecaster per program, build and parameter set, fed from a store.
// Thread-safety: one thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "online_model/api/forecast.h"
#include "online_model/api/named_network.h"
#include "online_model/api/server.h"
#include "online_model/api/store.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

class Forecasts {
 public:
  // network: that runs whose ranks shared cores are put on.
  explicit Forecasts(NamedNetwork network = {})
      : network_(std::move(network)) {}
  // Refits only what this run belongs to; the cost does not depend on the
  // runs that came before. kNo when the run cannot be learned from.
  reduction::Status Add(const RunRecord& run, const reduction::Trace& trace);
  // What has been seen of a run that goes on. kNo when it cannot be used, as
  // when no run of its group was stored.
  reduction::Status SetUnderWay(const reduction::Trace& so_far);
  void EndUnderWay(const std::string& job);
  // Ends those that are not in `jobs`.
  void KeepUnderWay(const std::set<std::string>& jobs);
  // Takes over what was learned from the runs of `runs` that are of its group
  // and numbered up to its last; the others are to be added. False when it
  // cannot be used.
  bool Restore(const Statistics& statistics,
               const std::vector<RunRecord>& runs);
  // Of the groups that learned from at least `runs` runs since they were
  // last asked for or restored.
  std::vector<Statistics> Unsaved(uint64_t runs);
  // The group of `program` whose run was stored last.
  reduction::Result<RunGroup> LatestOf(const std::string& program) const;
  reduction::Result<RunGroup> GroupOf(const std::string& id) const;
  reduction::Result<Forecast> OfGroup(const std::string& id,
                                      std::span<const int64_t> ranks) const;
  // Newest first.
  std::vector<RunGroup> Groups() const;
  bool HasUnderWay(const std::string& id) const;

 private:
  using Key = std::tuple<std::string, std::string, std::string>;
  struct Group {
    RunGroup about;
    Forecaster forecaster;
    int64_t last = 0;  // number of the newest run learned from
    uint64_t unsaved = 0;
    // Whether ranks of a run shared cores: all from then on are put on the
    // network. And why that failed.
    bool on_network = false;
    reduction::Status unwalked;
    RunTimes took;
  };
  // The run as the group learns from it.
  reduction::Trace ToLearn(const reduction::Trace& trace, Group* group) const;
  void Count(const Key& key, const RunRecord& run);
  NamedNetwork network_;
  std::map<Key, Group> groups_;  // program, build id, params
  std::map<std::string, Key> by_id_;
};

}  // namespace ranksight::online_model
