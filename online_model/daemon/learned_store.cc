#include "online_model/daemon/learned_store.h"

#include <map>
#include <tuple>
#include <utility>

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Status;

// Runs of a group after which what was learned is saved again: a start reads
// at most so many. Doubling it halves what saving costs.
constexpr uint64_t kRunsUnsaved = 32;

}  // namespace

LearnedStore::LearnedStore(Store store, NamedNetwork network, Log log)
    : network_(std::move(network)),
      log_(std::move(log)),
      store_(std::move(store)),
      forecasts_(network_) {}

Status LearnedStore::Load() {
  const Result<std::vector<RunRecord>> runs = store_.List();
  if (!runs.ok()) return runs.status();
  const auto learned = store_.LoadStatistics();
  const auto removals = store_.Removals();
  if (!learned.ok()) return learned.status();
  if (!removals.ok()) return removals.status();
  removals_ = *removals;
  // From now on: what had changed before is read here.
  (void)store_.ChangedByOthers();
  std::map<std::tuple<std::string, std::string, std::string>, int64_t> known;
  for (const Statistics& s : *learned) {
    if (forecasts_.Restore(s, *runs)) {
      known[{s.program, s.build_id, s.params}] = s.last;
    }
  }
  for (const RunRecord& run : *runs) {
    const auto at = known.find({run.program, run.build_id, run.params});
    // What was learned before it was saved need not be read again.
    if (at != known.end() && run.number <= at->second) {
      jobs_.insert(run.job);
    } else {
      Learn(run);
    }
  }
  if (!runs->empty()) last_number_ = runs->back().number;
  Save(kRunsUnsaved);
  return Status::Ok();
}

LearnedStore::Change LearnedStore::Follow() {
  if (!store_.ChangedByOthers()) return Change::kNone;
  const auto removals = store_.Removals();
  if (!removals.ok()) {
    Warn(removals.status().message());
    return Change::kRunsAdded;
  }
  if (*removals == removals_) {
    LearnNewRuns();
    return Change::kRunsAdded;
  }
  LoadAgain();
  return Change::kRunsRemoved;
}

void LearnedStore::LoadAgain() {
  forecasts_ = Forecasts(network_);
  jobs_.clear();
  last_number_ = 0;
  const Status s = Load();
  if (!s.ok()) Warn(s.message());
}

size_t LearnedStore::Expire(std::span<const RetentionRule> rules,
                            int64_t now_unix_ns) {
  const Result<std::vector<RunRecord>> runs = store_.List();
  if (!runs.ok()) {
    Warn(runs.status().message());
    return 0;
  }
  const auto removed = store_.RemoveAll(ExpiredJobs(*runs, rules, now_unix_ns));
  // Some may be gone all the same.
  if (!removed.ok()) {
    Warn("runs were not removed: " + removed.status().message());
  }
  if (!removed.ok() || *removed > 0) LoadAgain();
  return removed.ok() ? *removed : 0;
}

void LearnedStore::LearnNewRuns() {
  const Result<std::vector<RunRecord>> runs = store_.ListAfter(last_number_);
  if (!runs.ok()) return Warn(runs.status().message());
  for (const RunRecord& run : *runs) {
    last_number_ = run.number;
    if (!jobs_.contains(run.job)) Learn(run);
  }
}

Result<std::optional<RunRecord>> LearnedStore::Add(
    const std::vector<uint8_t>& encoded, const reduction::Trace& trace,
    const Sender& sender) {
  Result<RunRecord> added = store_.AddRun(encoded, trace, sender);
  if (!added.ok()) return added.status();
  forecasts_.EndUnderWay(added->job);
  if (!jobs_.insert(added->job).second) return std::optional<RunRecord>();
  // Somebody may have added one since.
  LearnNewRuns();
  Learn(*added, trace);
  Save(kRunsUnsaved);
  return std::optional(std::move(*added));
}

void LearnedStore::Learn(const RunRecord& run) {
  const Result<reduction::Trace> trace = store_.Load(run);
  if (!trace.ok()) {
    return Warn("skipped a stored run: " + trace.status().message());
  }
  jobs_.insert(run.job);
  Learn(run, *trace);
}

void LearnedStore::Learn(const RunRecord& run, const reduction::Trace& trace) {
  const Status s = forecasts_.Add(run, trace);
  if (!s.ok()) Warn("not used for forecasts: " + s.message());
}

void LearnedStore::Save(uint64_t runs) {
  for (const Statistics& statistics : forecasts_.Unsaved(runs)) {
    const Status s = store_.SaveStatistics(statistics, removals_);
    if (!s.ok()) Warn("statistics were not saved: " + s.message());
  }
}

}  // namespace ranksight::online_model
