#include "online_model/api/server.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "online_model/api/page.h"
#include "online_model/daemon/group_sites.h"
#include "online_model/daemon/hourly.h"
#include "online_model/daemon/learned_store.h"
#include "online_model/daemon/namer.h"
#include "online_model/daemon/overviews.h"
#include "online_model/daemon/spool.h"
#include "online_model/daemon/walks.h"
#include "online_model/ingest/limited_log.h"
#include "online_model/ingest/receiver.h"
#include "online_model/store/serving_lock.h"
#include "online_model/web/page.h"
#include "reduction/api/codec.h"

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Status;

int64_t NowUnixNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

class StoreServer : public Server {
 public:
  StoreServer(ServerOptions options, ServingLock lock, Store store)
      : options_(std::move(options)),
        log_(LimitedLog(options_.log)),
        lock_(std::move(lock)),
        learned_(std::move(store), options_.network, log_) {}
  ~StoreServer() override { Stop(); }

  Status Begin();
  std::string endpoint() const override { return receiver_->endpoint(); }
  uint64_t runs_stored() const override;
  bool WaitForRuns(uint64_t runs, int timeout_ms) override;
  Result<Forecast> ForecastFor(const std::string& program,
                               std::span<const int64_t> ranks) override;
  Result<Forecast> LawsFor(const std::string& program,
                           std::span<const int64_t> ranks) override;
  Result<Forecast> ForecastOf(const std::string& group,
                              std::span<const int64_t> ranks) override;
  std::vector<GroupOverview> Overview() override;
  bool WaitForWalks(int timeout_ms) override {
    return walks_->Wait(timeout_ms);
  }
  std::vector<RunGroup> Groups() override;
  Result<std::vector<RunRecord>> Runs() override;
  Result<reduction::Trace> LoadRun(const std::string& job) override;
  std::vector<LiveRun> Live() override { return receiver_->Live(); }
  IngestCounters counters() override { return receiver_->counters(); }
  Result<StoreUse> Use() override;
  Quotas quotas() const override { return options_.quotas; }
  uint64_t version() override;
  std::string http_address() const override {
    return page_ ? page_->address() : "";
  }
  std::string http_token() const override {
    return page_ ? page_->token() : "";
  }
  void Stop() override;

 private:
  Result<RunGroup> LatestOf(const std::string& program);
  // Of a group, which is then described in *group.
  Result<Forecast> LawsOf(const std::string& id, std::span<const int64_t> ranks,
                          RunGroup* group);
  Status Accept(const std::vector<uint8_t>& encoded, const Sender& sender);
  // Takes note of what others did to the store (`ranksight runs`). REQUIRES:
  // mutex_ is held.
  void FollowStore();
  // Forgets what is known of groups of which no run is left. REQUIRES: mutex_
  // is held.
  void ForgetRemoved();
  // Removes what is older than it is kept.
  void Expire();
  // What has been seen of a run that goes on.
  Status TakeEpoch(const LiveRun& run, const std::vector<uint8_t>& encoded);
  // The newest of each size. On the thread of walks_.
  Result<std::vector<reduction::Trace>> RunsToWalk(const RunGroup& group);
  // Runs whose clients are gone do not go on. REQUIRES: mutex_ is not held.
  void ForgetEnded();
  GroupOverview OverviewOf(const RunGroup& group);
  // What is known of the sites of the group's newest run.
  void SetNamesOf(const RunGroup& group, Forecast* forecast);
  // The same, and how ranks differ there.
  void SetSitesOf(const RunGroup& group, Forecast* forecast);
  void StartNamer();
  Status StartReceiver();

  const ServerOptions options_;
  const online_model::Log log_;
  const ServingLock lock_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable stored_changed_;
  LearnedStore learned_;
  uint64_t stored_ = 0;
  GroupSites sites_;
  uint64_t names_version_ = 0;
  Overviews overviews_;

  std::mutex told_mutex_;  // one call of on_run at a time
  std::atomic<uint64_t> version_{1};
  std::optional<Walks> walks_;
  std::optional<Namer> namer_;
  std::optional<Receiver> receiver_;
  std::unique_ptr<WebPage> page_;  // after what it asks
  std::optional<Spool> spool_;
  std::optional<Hourly> expiry_;
  std::mutex stop_mutex_;
  std::thread thread_;
};

Status StoreServer::Begin() {
  if (Status s = learned_.Load(); !s.ok()) return s;
  walks_.emplace([this](const RunGroup& group) { return RunsToWalk(group); },
                 [this] { ++version_; }, options_.own_laws, options_.network);
  if (!options_.retention.empty()) {
    Expire();
    expiry_.emplace([this] { Expire(); });
  }
  if (options_.find_names) StartNamer();
  if (Status s = StartReceiver(); !s.ok()) return s;
  if (!options_.http.empty()) {
    auto page = WebPage::Open(options_.http, options_.store_directory,
                              options_.extras, this);
    if (!page.ok()) return page.status();
    page_ = std::move(page).value();
  }
  thread_ = std::thread([this] { receiver_->Run(); });
  if (!options_.spool_directory.empty()) {
    spool_.emplace(
        options_.spool_directory,
        [this](const std::vector<uint8_t>& encoded, const Sender& sender) {
          return Accept(encoded, sender);
        },
        log_);
  }
  return Status::Ok();
}

void StoreServer::StartNamer() {
  namer_.emplace(
      options_.find_names,
      [this](const reduction::Sites& sites) {
        const std::lock_guard<std::mutex> lock(mutex_);
        return learned_.store().NamesOf(sites);
      },
      [this](const reduction::Names& names) {
        const std::lock_guard<std::mutex> lock(mutex_);
        const Status kept = learned_.store().AddNames(names);
        if (!kept.ok()) {
          log_(
              {LogLevel::kError, "names were not kept: " + kept.message(), {}});
        }
        ++names_version_;
        ++version_;
      });
}

Status StoreServer::StartReceiver() {
  ReceiverOptions options;
  options.listen = options_.listen;
  options.keys_directory = options_.keys_directory;
  options.log = log_;
  options.on_change = [this] { ++version_; };
  options.accept = [this](const std::vector<uint8_t>& encoded,
                          const Sender& sender) {
    const Status s = Accept(encoded, sender);
    if (!s.ok()) {
      log_(
          {LogLevel::kWarning, "a run was not stored: " + s.message(), sender});
    }
    return s;
  };
  options.on_epoch = [this](const LiveRun& run,
                            const std::vector<uint8_t>& encoded) {
    return TakeEpoch(run, encoded);
  };
  Result<Receiver> receiver = Receiver::Bind(std::move(options));
  if (!receiver.ok()) return receiver.status();
  receiver_ = std::move(receiver).value();
  return Status::Ok();
}

void StoreServer::FollowStore() {
  const auto change = learned_.Follow();
  if (change == LearnedStore::Change::kNone) return;
  ++version_;
  if (change == LearnedStore::Change::kRunsRemoved) ForgetRemoved();
}

void StoreServer::ForgetRemoved() {
  std::set<std::string> left;
  for (const RunGroup& group : learned_.forecasts().Groups()) {
    left.insert(group.id);
  }
  overviews_.KeepOnly(left);
  sites_.KeepOnly(left);
  walks_->KeepOnly(left);
}

void StoreServer::Expire() {
  size_t removed = 0;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    FollowStore();
    removed = learned_.Expire(options_.retention, NowUnixNs());
    if (removed > 0) ForgetRemoved();
  }
  if (removed == 0) return;
  ++version_;
  log_({LogLevel::kInfo,
        "removed " + std::to_string(removed) +
            " runs, which were older than they are kept",
        {}});
}

Status StoreServer::Accept(const std::vector<uint8_t>& encoded,
                           const Sender& sender) {
  const Result<reduction::Trace> trace = reduction::Decode(encoded);
  if (!trace.ok()) return trace.status();
  if (trace->meta.origin != reduction::Origin::kRecorded) {
    return Status::BadInput("0: the trace was extrapolated: nobody ran it");
  }
  // Names are found here: a client's may be of anything.
  const auto plain = reduction::ReplaceNames(encoded, {});
  if (!plain.ok()) return plain.status();
  RunRecord run;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    FollowStore();
    auto added = learned_.Add(*plain, *trace, sender);
    if (!added.ok()) return added.status();
    if (!*added) return Status::Ok();  // sent again
    run = std::move(**added);
  }
  // The process that sent it waits for the answer, and is still there.
  if (namer_) namer_->Look(trace->sites, FilesOfJob(run.job));
  {
    const std::lock_guard<std::mutex> lock(told_mutex_);
    if (options_.on_run) options_.on_run(run);
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++stored_;
  }
  ++version_;
  stored_changed_.notify_all();
  return Status::Ok();
}

Status StoreServer::TakeEpoch(const LiveRun& run,
                              const std::vector<uint8_t>& encoded) {
  const Result<reduction::Trace> trace = reduction::Decode(encoded);
  if (!trace.ok()) return trace.status();
  const reduction::Meta& meta = trace->meta;
  if (meta.job != run.job || meta.program != run.program ||
      meta.build_id != run.build_id || meta.params != run.params ||
      meta.ranks != run.ranks) {
    return Status::BadInput("0: an epoch of another run than the hello's");
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (learned_.Has(run.job)) return Status::Ok();  // over meanwhile
    // Nothing to compare it with is no reason to complain.
    (void)learned_.forecasts().SetUnderWay(*trace);
  }
  ++version_;
  return Status::Ok();
}

void StoreServer::ForgetEnded() {
  std::set<std::string> jobs;
  for (const LiveRun& run : receiver_->Live()) jobs.insert(run.job);
  const std::lock_guard<std::mutex> lock(mutex_);
  learned_.forecasts().KeepUnderWay(jobs);
}

uint64_t StoreServer::version() {
  const std::lock_guard<std::mutex> lock(mutex_);
  FollowStore();
  return version_;
}

uint64_t StoreServer::runs_stored() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return stored_;
}

bool StoreServer::WaitForRuns(uint64_t runs, int timeout_ms) {
  std::unique_lock<std::mutex> lock(mutex_);
  return stored_changed_.wait_for(lock, std::chrono::milliseconds(timeout_ms),
                                  [&] { return stored_ >= runs; });
}

Result<RunGroup> StoreServer::LatestOf(const std::string& program) {
  const std::lock_guard<std::mutex> lock(mutex_);
  FollowStore();
  return learned_.forecasts().LatestOf(program);
}

Result<Forecast> StoreServer::ForecastFor(const std::string& program,
                                          std::span<const int64_t> ranks) {
  const Result<RunGroup> group = LatestOf(program);
  if (!group.ok()) return group.status();
  return ForecastOf(group->id, ranks);
}

Result<Forecast> StoreServer::LawsFor(const std::string& program,
                                      std::span<const int64_t> ranks) {
  const Result<RunGroup> group = LatestOf(program);
  if (!group.ok()) return group.status();
  RunGroup about;
  Result<Forecast> forecast = LawsOf(group->id, ranks, &about);
  if (forecast.ok()) SetSitesOf(about, &*forecast);
  return forecast;
}

Result<Forecast> StoreServer::ForecastOf(const std::string& id,
                                         std::span<const int64_t> ranks) {
  RunGroup group;
  Result<Forecast> forecast = LawsOf(id, ranks, &group);
  if (forecast.ok() && !forecast->points.empty()) {
    walks_->Join(group, &*forecast);
  }
  if (forecast.ok()) SetSitesOf(group, &*forecast);
  return forecast;
}

Result<Forecast> StoreServer::LawsOf(const std::string& id,
                                     std::span<const int64_t> ranks,
                                     RunGroup* group) {
  ForgetEnded();
  const std::lock_guard<std::mutex> lock(mutex_);
  FollowStore();
  auto about = learned_.forecasts().GroupOf(id);
  if (!about.ok()) return about.status();
  *group = std::move(about).value();
  return learned_.forecasts().OfGroup(id, ranks);
}

std::vector<GroupOverview> StoreServer::Overview() {
  ForgetEnded();
  std::vector<GroupOverview> all;
  for (const RunGroup& group : Groups()) all.push_back(OverviewOf(group));
  return all;
}

GroupOverview StoreServer::OverviewOf(const RunGroup& group) {
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

void StoreServer::SetNamesOf(const RunGroup& group, Forecast* forecast) {
  const std::lock_guard<std::mutex> lock(mutex_);
  sites_.SetNames(forecast, group, names_version_, learned_.store());
}

void StoreServer::SetSitesOf(const RunGroup& group, Forecast* forecast) {
  SetNamesOf(group, forecast);
  const std::lock_guard<std::mutex> lock(mutex_);
  sites_.SetSpreads(forecast, group, learned_.store());
}

Result<std::vector<reduction::Trace>> StoreServer::RunsToWalk(
    const RunGroup& group) {
  const Result<std::vector<RunRecord>> runs = Runs();
  if (!runs.ok()) return runs.status();
  std::map<int64_t, int> of_size;
  std::vector<reduction::Trace> traces;
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
  if (!AnySharedCores(traces)) return traces;
  for (reduction::Trace& trace : traces) {
    const Status put = PutOnNetwork(options_.network, &trace);
    if (!put.ok()) return put;
  }
  return traces;
}

std::vector<RunGroup> StoreServer::Groups() {
  const std::lock_guard<std::mutex> lock(mutex_);
  FollowStore();
  return learned_.forecasts().Groups();
}

Result<StoreUse> StoreServer::Use() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return learned_.store().Use();
}

Result<std::vector<RunRecord>> StoreServer::Runs() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return learned_.store().List();
}

Result<reduction::Trace> StoreServer::LoadRun(const std::string& job) {
  RunRecord run;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    auto found = learned_.store().Find(job);
    if (!found.ok()) return found.status();
    run = std::move(found).value();
  }
  return reduction::ReadTraceFile(run.path);
}

void StoreServer::Stop() {
  const std::lock_guard<std::mutex> lock(stop_mutex_);
  page_.reset();
  spool_.reset();
  expiry_.reset();
  if (!thread_.joinable()) return;
  receiver_->Stop();
  thread_.join();
  namer_.reset();
  const std::lock_guard<std::mutex> statistics_lock(mutex_);
  learned_.Save(1);
}

}  // namespace

Result<std::unique_ptr<Server>> Server::Start(const ServerOptions& asked) {
  ServerOptions options = asked;
  if (options.network.name.empty()) {
    auto network = FindNetwork("");
    if (!network.ok()) return network.status();
    options.network = std::move(network).value();
  }
  Result<Store> store = Store::Open(options.store_directory);
  if (!store.ok()) return store.status();
  auto lock = ServingLock::Take(options.store_directory);
  if (!lock.ok()) return lock.status();
  store->SetQuotas(options.quotas);
  auto server = std::make_unique<StoreServer>(options, std::move(lock).value(),
                                              std::move(store).value());
  if (Status s = server->Begin(); !s.ok()) return s;
  return std::unique_ptr<Server>(std::move(server));
}

}  // namespace ranksight::online_model
