#include "online_model/api/server.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "online_model/daemon/group_answers.h"
#include "online_model/daemon/hourly.h"
#include "online_model/daemon/learned_store.h"
#include "online_model/daemon/namer.h"
#include "online_model/daemon/spool.h"
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

// What a page lists; who wants all has the log and the store.
constexpr size_t kMostNotices = 10;

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
                               std::span<const int64_t> ranks) override {
    Refresh();
    return answers_->ForecastFor(program, ranks);
  }
  Result<Forecast> LawsFor(const std::string& program,
                           std::span<const int64_t> ranks) override {
    Refresh();
    return answers_->LawsFor(program, ranks);
  }
  Result<Forecast> ForecastOf(const std::string& group,
                              std::span<const int64_t> ranks) override {
    Refresh();
    return answers_->ForecastOf(group, ranks);
  }
  std::vector<GroupOverview> Overview() override {
    Refresh();
    return answers_->Overview();
  }
  bool WaitForWalks(int timeout_ms) override {
    return answers_->WaitForWalks(timeout_ms);
  }
  std::vector<RunGroup> Groups() override;
  Result<std::vector<RunRecord>> Runs() override;
  Result<reduction::Trace> LoadRun(const std::string& job) override;
  std::vector<LiveRun> Live() override { return receiver_->Live(); }
  IngestCounters counters() override { return receiver_->counters(); }
  std::vector<RunNotice> Notices() override;
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
  Status Accept(const std::vector<uint8_t>& encoded, const Sender& sender);
  // Takes note of what others did to the store (`ranksight runs`). REQUIRES:
  // mutex_ is held.
  void FollowStore();
  // Removes what is older than it is kept.
  void Expire();
  // What has been seen of a run that goes on.
  Status TakeEpoch(const LiveRun& run, const std::vector<uint8_t>& encoded);
  // Dated now.
  void Give(RunNotice notice);
  // Runs whose clients are gone do not go on. REQUIRES: mutex_ is not held.
  void ForgetEnded();
  // What answers are made from is as it is now. REQUIRES: mutex_ is not held.
  void Refresh();
  void StartNamer();
  Status StartReceiver();

  const ServerOptions options_;
  const online_model::Log log_;
  const ServingLock lock_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable stored_changed_;
  LearnedStore learned_;
  uint64_t stored_ = 0;

  std::mutex told_mutex_;  // one call of on_run at a time
  std::mutex notices_mutex_;
  std::deque<RunNotice> notices_;  // newest first
  std::atomic<uint64_t> version_{1};
  std::optional<GroupAnswers> answers_;
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
  WalkOptions walk;
  walk.own_laws = options_.own_laws;
  walk.searches = options_.searches;
  walk.network = options_.network;
  walk.links = options_.links;
  answers_.emplace(&mutex_, &learned_, std::move(walk), options_.walks_yield,
                   [this] { ++version_; });
  // Before anything is received, so that old runs make room for new ones.
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
  // Last but the spool: from here on runs come in, and all that they need
  // stands.
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
        answers_->NamesChanged();
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
      RunNotice notice{0, sender, "", 0, s.message()};
      if (const auto trace = reduction::Decode(encoded); trace.ok()) {
        notice.program = trace->meta.program;
        notice.ranks = trace->meta.ranks;
      }
      Give(std::move(notice));
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
  if (change == LearnedStore::Change::kRunsRemoved) answers_->ForgetRemoved();
}

void StoreServer::Expire() {
  size_t removed = 0;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    FollowStore();
    removed = learned_.Expire(options_.retention, NowUnixNs());
    if (removed > 0) answers_->ForgetRemoved();
  }
  if (removed == 0) return;
  ++version_;
  log_({LogLevel::kInfo,
        removed == 1 ? "removed a run, which was older than it is kept"
                     : "removed " + std::to_string(removed) +
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
  Give({0, run.sender, run.program, run.ranks, ""});
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++stored_;
  }
  ++version_;
  stored_changed_.notify_all();
  return Status::Ok();
}

void StoreServer::Give(RunNotice notice) {
  notice.unix_ms = NowUnixNs() / 1'000'000;
  {
    const std::lock_guard<std::mutex> lock(notices_mutex_);
    notices_.push_front(std::move(notice));
    if (notices_.size() > kMostNotices) notices_.pop_back();
  }
  ++version_;
}

std::vector<RunNotice> StoreServer::Notices() {
  const std::lock_guard<std::mutex> lock(notices_mutex_);
  return {notices_.begin(), notices_.end()};
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

void StoreServer::Refresh() {
  ForgetEnded();
  const std::lock_guard<std::mutex> lock(mutex_);
  FollowStore();
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
