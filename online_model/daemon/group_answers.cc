#include "online_model/daemon/group_answers.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "online_model/api/joined.h"
#include "online_model/api/page.h"
#include "online_model/api/verdict.h"
#include "reduction/api/codec.h"

namespace ranksight::online_model {

using reduction::Result;
using reduction::Status;

GroupAnswers::GroupAnswers(std::mutex* mutex, LearnedStore* learned,
                           WalkOptions walk, bool walks_yield,
                           std::function<void()> changed)
    : mutex_(*mutex),
      learned_(*learned),
      network_(*walk.network),
      links_(walk.links) {
  walks_.emplace([this](const RunGroup& group) { return RunsToWalk(group); },
                 std::move(changed), std::move(walk), walks_yield);
}

void GroupAnswers::ForgetRemoved() {
  std::set<std::string> left;
  for (const RunGroup& group : learned_.forecasts().Groups()) {
    left.insert(group.id);
  }
  overviews_.KeepOnly(left);
  sites_.KeepOnly(left);
  walks_->KeepOnly(left);
}

Result<RunGroup> GroupAnswers::LatestOf(const std::string& program) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return learned_.forecasts().LatestOf(program);
}

Result<Forecast> GroupAnswers::ForecastFor(const std::string& program,
                                           std::span<const int64_t> ranks) {
  const Result<RunGroup> group = LatestOf(program);
  if (!group.ok()) return group.status();
  return ForecastOf(group->id, ranks);
}

Result<Forecast> GroupAnswers::LawsFor(const std::string& program,
                                       std::span<const int64_t> ranks) {
  const Result<RunGroup> group = LatestOf(program);
  if (!group.ok()) return group.status();
  RunGroup about;
  Result<Forecast> forecast = LawsOf(group->id, ranks, &about);
  if (forecast.ok()) SetSitesOf(about, &*forecast);
  return forecast;
}

Result<Forecast> GroupAnswers::ForecastOf(const std::string& id,
                                          std::span<const int64_t> ranks) {
  RunGroup group;
  Result<Forecast> forecast = LawsOf(id, ranks, &group);
  if (forecast.ok() && !forecast->points.empty()) {
    walks_->Join(group, &*forecast);
    // Those that shared cores were not on these links.
    if (links_ != nullptr && forecast->network.empty()) {
      forecast->links = links_->name();
    }
  }
  if (forecast.ok()) SetSitesOf(group, &*forecast);
  return forecast;
}

Result<Forecast> GroupAnswers::LawsOf(const std::string& id,
                                      std::span<const int64_t> ranks,
                                      RunGroup* group) {
  const std::lock_guard<std::mutex> lock(mutex_);
  auto about = learned_.forecasts().GroupOf(id);
  if (!about.ok()) return about.status();
  *group = std::move(about).value();
  return learned_.forecasts().OfGroup(id, ranks);
}

std::vector<GroupOverview> GroupAnswers::Overview() {
  std::vector<RunGroup> groups;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    groups = learned_.forecasts().Groups();
  }
  std::vector<GroupOverview> all;
  for (const RunGroup& group : groups) all.push_back(OverviewOf(group));
  return all;
}

GroupOverview GroupAnswers::OverviewOf(const RunGroup& group) {
  Overviews::MadeFrom from;
  from.walks = walks_->Known(group);
  Forecast f;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    from.names_version = names_version_;
    from.has_under_way = learned_.forecasts().HasUnderWay(group.id);
    const GroupOverview* kept = overviews_.Find(group, from);
    if (kept != nullptr) return *kept;
    auto laws =
        learned_.forecasts().OfGroup(group.id, CurveRanks(group.measured));
    // Its runs were removed meanwhile.
    if (!laws.ok()) return MakeOverview(group, f);
    f = std::move(laws).value();
  }
  walks_->JoinKnown(group, &f);
  GroupOverview overview = MakeOverview(group, f);
  overview.verdict = Judge(f);
  if (!overview.verdict.site.empty()) {  // names are read from a trace
    SetNamesOf(group, &f);
    overview.verdict = Judge(f);
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  overviews_.Keep(overview, from);
  return overview;
}

void GroupAnswers::SetNamesOf(const RunGroup& group, Forecast* forecast) {
  const std::lock_guard<std::mutex> lock(mutex_);
  sites_.SetNames(forecast, group, names_version_, learned_.store());
}

void GroupAnswers::SetSitesOf(const RunGroup& group, Forecast* forecast) {
  SetNamesOf(group, forecast);
  const std::lock_guard<std::mutex> lock(mutex_);
  sites_.SetSpreads(forecast, group, learned_.store());
}

Result<std::vector<reduction::Trace>> GroupAnswers::RunsToWalk(
    const RunGroup& group) {
  const auto runs = [this] {
    const std::lock_guard<std::mutex> lock(mutex_);
    return learned_.store().List();
  }();
  if (!runs.ok()) return runs.status();
  std::map<int64_t, int> of_size;
  std::vector<reduction::Trace> traces;
  // The newest of each size, from the end; they are given in their order again.
  for (auto at = runs->rbegin(); at != runs->rend(); ++at) {
    const RunRecord& run = *at;
    if (!group.Has(run) || !run.complete ||
        ++of_size[run.ranks] > kMostWalkedOfASize) {
      continue;
    }
    auto trace = reduction::ReadTraceFile(run.path);
    if (!trace.ok()) return trace.status();
    traces.push_back(std::move(trace).value());
  }
  std::reverse(traces.begin(), traces.end());
  // Times in calls of ranks that share cores say how they waited for a core: a
  // network takes their place.
  if (!AnySharedCores(traces)) return traces;
  for (reduction::Trace& trace : traces) {
    const Status put = PutOnNetwork(network_, &trace);
    if (!put.ok()) return put;
  }
  return traces;
}

}  // namespace ranksight::online_model
