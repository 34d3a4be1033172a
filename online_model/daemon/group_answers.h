// What a server answers about its groups: forecasts, with walks and call sites,
// and what a list of all says of each. Keeps what takes long for as long as
// nothing that it was made from has changed.
// Thread-safety: all methods may be called from any thread without the mutex,
// but those that say otherwise.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "online_model/api/forecast.h"
#include "online_model/api/server.h"
#include "online_model/daemon/group_sites.h"
#include "online_model/daemon/learned_store.h"
#include "online_model/daemon/overviews.h"
#include "online_model/daemon/walks.h"
#include "reduction/api/status.h"

namespace ranksight::online_model {

class GroupAnswers {
 public:
  // mutex: guards *learned; both outlive this. changed: an answer may differ
  // from now on; called without the mutex. walks_yield: as ServerOptions has
  // it. REQUIRES: walk has a network.
  GroupAnswers(std::mutex* mutex, LearnedStore* learned, WalkOptions walk,
               bool walks_yield, std::function<void()> changed);

  // As Server says.
  reduction::Result<Forecast> LawsFor(const std::string& program,
                                      std::span<const int64_t> ranks);
  reduction::Result<Forecast> ForecastFor(const std::string& program,
                                          std::span<const int64_t> ranks);
  reduction::Result<Forecast> ForecastOf(const std::string& id,
                                         std::span<const int64_t> ranks);
  std::vector<GroupOverview> Overview();
  bool WaitForWalks(int timeout_ms) { return walks_->Wait(timeout_ms); }

  // Forgets groups of which no run is left. REQUIRES: the mutex is held.
  void ForgetRemoved();
  // Names of call sites were found. REQUIRES: the mutex is held.
  void NamesChanged() { ++names_version_; }

 private:
  reduction::Result<RunGroup> LatestOf(const std::string& program);
  // Of a group, which is then described in *group.
  reduction::Result<Forecast> LawsOf(const std::string& id,
                                     std::span<const int64_t> ranks,
                                     RunGroup* group);
  GroupOverview OverviewOf(const RunGroup& group);
  // What is known of the sites of the group's newest run.
  void SetNamesOf(const RunGroup& group, Forecast* forecast);
  // The same, and how ranks differ there.
  void SetSitesOf(const RunGroup& group, Forecast* forecast);
  // The newest of each size. On the thread of walks_.
  reduction::Result<std::vector<reduction::Trace>> RunsToWalk(
      const RunGroup& group);

  std::mutex& mutex_;  // guards what follows, but walks_
  LearnedStore& learned_;
  GroupSites sites_;
  uint64_t names_version_ = 0;
  Overviews overviews_;
  const NamedNetwork network_;
  const std::shared_ptr<const Links> links_;  // of the machine, if known
  std::optional<Walks> walks_;                // last: its thread uses the above
};

}  // namespace ranksight::online_model
