// Joined forecasts (online_model/api/joined.h) for those who cannot wait: they
// are computed on a thread of their own, once for each group, number of runs
// and rank count, and kept. Until then a point says that it is being walked.
//
// Bounds: a group's walks take at most kMostSeconds of that thread's time for
// each number of runs, fitting the network apart; what is left says so. The
// runs of one group at a time are in memory. The thread has low
// priority where nobody waits for it.
// Thread-safety: all methods from any thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "online_model/api/joined.h"
#include "online_model/api/server.h"
#include "online_model/daemon/core_wait.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

class Walks {
 public:
  using Load = std::function<reduction::Result<std::vector<reduction::Trace>>(
      const RunGroup&)>;
  // load: the runs to walk; changed: after points were walked, and when the
  // thread begins or ends to wait for a core. Both are called on the thread,
  // without a lock.
  // options.network: that of runs whose ranks shared cores; `load` puts them on
  // it, and options.links are not theirs. yields: to what else runs.
  Walks(Load load, std::function<void()> changed, WalkOptions options,
        bool yields);
  ~Walks();
  Walks(const Walks&) = delete;
  Walks& operator=(const Walks&) = delete;

  // Puts what was walked in the place of f's points, and sees to the others.
  // `f` is the forecast by laws from the group's runs.
  void Join(const RunGroup& group, Forecast* f);
  // The same with what is walked already; nothing is asked for.
  void JoinKnown(const RunGroup& group, Forecast* f) const;
  // How many walks of the group's runs are known: grows with each.
  size_t Known(const RunGroup& group) const;
  // Forgets the groups that are not there any more.
  void KeepOnly(const std::set<std::string>& groups);
  // Until nothing is left to walk; false when the time is over before.
  bool Wait(int timeout_ms);

 private:
  // What is kept of a group.
  struct Group {
    RunGroup about;  // the walks are of its runs
    Forecast laws;   // for what a walked point is compared with
    std::set<int64_t> wanted;
    std::map<int64_t, ForecastPoint> answers;  // with a basis alone, some
    std::map<int64_t, Efficiencies> measured;
    double spent_seconds = 0;
    double seconds_a_rank = 0;  // of those answered, on the wall; 0: none yet
  };
  // The group, where its walks are of these runs; else nullptr. REQUIRES:
  // mutex_ is held.
  const Group* Having(const RunGroup& about) const;
  Group* Having(const RunGroup& about);
  // nullptr when there is none yet.
  static const ForecastPoint* FindKnown(const Group& group, int64_t ranks);
  // The same; then it is wanted.
  static const ForecastPoint* Find(Group* group, int64_t ranks);
  static void Put(Group* group, const std::vector<RunUnderWay>& under_way,
                  ForecastPoint* point);
  void Run();
  void Work(const std::string& id);
  // Makes joined_ the group's with these runs, if it is another's.
  void Prepare(const RunGroup& about, const Forecast& laws);
  // Says so when the thread waits for a core, or does not any more.
  void TellOfCores(bool waits);
  // Whether a walk of the group that has taken so long goes on.
  reduction::Status GoesOn(const std::string& id, double seconds);
  // The next to walk of a group with these runs; 0 when there is none.
  int64_t Next(const RunGroup& about);
  // Efficiencies of the measured sizes, once for these runs.
  void KeepMeasured(const RunGroup& about);
  // seconds: of the thread; took: on the wall.
  void Keep(const RunGroup& about, int64_t ranks, double seconds, double took,
            ForecastPoint answer);
  // REQUIRES: mutex_ is held.
  WalkProgress ProgressOf(const Group& group) const;

  const Load load_;
  const std::function<void()> changed_;
  const WalkOptions options_;
  const bool yields_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable wake_, done_;
  std::map<std::string, Group> groups_;  // by id
  bool working_ = false, ending_ = false, waits_for_core_ = false;
  // The thread's own: fitted to the group, with the runs it had, worked on
  // last.
  RunGroup fitted_to_;
  std::optional<JoinedForecaster> joined_;
  CoreWait core_wait_;
  reduction::Status loaded_;
  std::thread thread_;  // last: uses all of the above
};

}  // namespace ranksight::online_model
