#include "cli/study/study.h"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "cli/base/files.h"
#include "cli/base/lists.h"
#include "cli/base/locate.h"
#include "cli/base/print.h"
#include "cli/base/processor_time.h"
#include "cli/base/progress.h"
#include "cli/base/recording.h"
#include "cli/study/batch.h"
#include "cli/symbols/site_names.h"
#include "online_model/api/page.h"
#include "online_model/api/store.h"
#include "reduction/api/codec.h"
#include "reduction/api/contract.h"
#include "reduction/api/file_stem.h"
#include "reduction/api/losses.h"

namespace ranksight::cli {
namespace {

using online_model::Forecast;
using online_model::RunRecord;
using reduction::Result;
using reduction::Status;

constexpr double kMostPatienceSeconds = 86'400;
// Between runs a forecast is walked once these have lasted so long. Finding a
// structure can take seconds, for each run anew; while runs are short, what is
// known after the last is soon there.
constexpr double kWorthWalkingSeconds = 10;
// A forecast is shown by laws when walking takes longer, on the clock and of
// processor time both: what else a machine does is not to change the answer.
constexpr double kWalkSeconds = 30;
// On the clock, in any case: on a core that is shared with nine others.
constexpr double kMostWalkSeconds = 300;
constexpr int kLookEveryMs = 500;

// What is walked stays, and what is not yet says that it was not.
void EndWalks(online_model::Forecast* forecast) {
  forecast->walking = false;
  for (online_model::ForecastPoint& p : forecast->points) {
    if (p.basis == online_model::kBeingWalked) {
      p.basis = "laws added up: a walk takes longer than study waits for it";
    }
  }
}

}  // namespace

bool IsWalkTooLong(double clock_seconds, double processor_seconds) {
  return clock_seconds >= kMostWalkSeconds ||
         std::min(clock_seconds, processor_seconds) >= kWalkSeconds;
}

bool SomeShareCores(const StudyPlan& plan) {
  if (std::getenv("RANKSIGHT_CLOCK") != nullptr) return false;
  cpu_set_t mine;
  CPU_ZERO(&mine);
  if (sched_getaffinity(0, sizeof mine, &mine) != 0) return false;
  return plan.launcher == LauncherOf("") &&
         *std::ranges::max_element(plan.ranks) > CPU_COUNT(&mine);
}

std::string StudyFileName(const std::string& program, int64_t ranks,
                          int64_t repetition, const std::string& ending) {
  std::string name =
      reduction::FileStem(std::filesystem::path(program).filename().string());
  name += '.' + std::to_string(ranks);
  if (repetition > 1) name += '.' + std::to_string(repetition);
  return name + ending;
}

std::vector<StudyRun> PlannedRuns(const StudyPlan& plan) {
  std::vector<StudyRun> runs;
  const std::string stem = plan.folder + "/";
  const std::string& program = plan.program[0];
  for (int64_t repetition = 1; repetition <= plan.repeat; ++repetition) {
    for (const int64_t ranks : plan.ranks) {
      // However often the size is asked for, by --ranks or --repeat.
      const int64_t number =
          1 + std::ranges::count(runs, ranks, &StudyRun::ranks);
      StudyRun& run = runs.emplace_back();
      run.ranks = ranks;
      run.trace = stem + StudyFileName(program, ranks, number, ".trace");
      run.log = stem + StudyFileName(program, ranks, number, ".log");
    }
  }
  return runs;
}

Study::Study(StudyPlan plan, PrivateFolder private_folder)
    : plan_(std::move(plan)),
      private_folder_(std::move(private_folder)),
      cleaner_(private_folder_.path()) {}

Result<std::unique_ptr<Study>> Study::Start(StudyPlan plan) {
  auto folder = PrivateFolder::Make();
  if (!folder.ok()) return folder.status();
  std::unique_ptr<Study> study(new Study(std::move(plan), std::move(*folder)));
  const Status started = study->StartServer();
  if (!started.ok()) return started;
  return study;
}

std::string Study::StoreFolder() const {
  return plan_.store.empty() ? private_folder_.path() + "/store" : plan_.store;
}

Status Study::StartServer() {
  online_model::ServerOptions options;
  options.listen = "ipc://" + private_folder_.path() + "/side-car";
  options.store_directory = StoreFolder();
  options.own_laws = plan_.own_laws;
  how_.own_laws = plan_.own_laws;
  how_.searches = options.searches;
  options.network = plan_.network;
  options.walks_yield = false;
  options.links = plan_.links;
  // Who looks at the store later may have no program beside it.
  if (!plan_.store.empty()) {
    // On a thread of the server: not by the runs, which are added meanwhile.
    options.find_names = [places = places()](const auto& sites, const auto&) {
      return SiteNames(sites, places).All();
    };
  }
  options.on_run = [this](const RunRecord& run) {
    const std::lock_guard lock(mutex_);
    last_stored_ = run;
  };
  options.log = [](const online_model::LogEvent& event) { Note(event.text); };
  auto server = online_model::Server::Start(options);
  if (!server.ok()) return server.status();
  server_ = std::move(*server);
  return Status::Ok();
}

Status Study::Run(
    const std::function<void(const StudyRun&, const Forecast&)>& after_run,
    int* exit_status) {
  *exit_status = 0;
  const std::vector<StudyRun> planned = PlannedRuns(plan_);
  double seconds = 0;
  for (StudyRun run : planned) {
    const Status done = RunOnce(&run, exit_status);
    if (!done.ok()) return done;
    runs_.push_back(run);
    seconds += run.seconds;
    const Status named = KeepNames(run.trace, places());
    if (!named.ok()) return named;
    const bool is_last = runs_.size() == planned.size();
    const auto forecast =
        is_last || seconds >= kWorthWalkingSeconds
            ? Forecasted(plan_.targets)
            : server_->LawsFor(runs_.back().program, plan_.targets);
    if (!forecast.ok()) return forecast.status();
    after_run(run, *forecast);
  }
  return Status::Ok();
}

Result<Forecast> Study::Collect(
    const std::function<void(const StudyRun&)>& after_run) {
  auto store = online_model::Store::Open(StoreFolder());
  if (!store.ok()) return store.status();
  for (StudyRun& run : PlannedRuns(plan_)) {
    if (FindJob(run).state != JobState::kDone) continue;
    const auto bytes = reduction::ReadWholeFile(run.trace);
    if (!bytes.ok()) return bytes.status();
    // One that an earlier collection has stored is passed over there.
    const auto stored = store->AddRun(*bytes);
    if (!stored.ok()) return Named(run.trace, stored.status());
    run.seconds = stored->seconds;
    run.program = stored->program;
    runs_.push_back(run);
    after_run(run);
  }
  return runs_.empty() ? Forecast() : Forecasted(plan_.targets);
}

std::vector<std::string> Study::places() const {
  std::vector<std::string> places = ProgramsIn(plan_.program);
  for (const StudyRun& run : runs_) places.push_back(run.trace);
  places.push_back(plan_.folder);
  return places;
}

Result<online_model::Forecast> Study::Curve() const {
  RANKSIGHT_REQUIRE(!runs_.empty());
  const auto so_far = server_->ForecastFor(runs_.back().program, {});
  if (!so_far.ok()) return so_far.status();
  const auto ranks = online_model::CurveRanks(so_far->measured);
  return Forecasted(ranks);
}

Result<Forecast> Study::Forecasted(const std::vector<int64_t>& ranks) const {
  const std::string& program = runs_.back().program;
  const auto asked = server_->ForecastFor(program, ranks);
  if (!asked.ok() || !asked->walking) return asked;
  if (WaitForWalks()) return server_->ForecastFor(program, ranks);
  // What is written down will not change any more.
  auto so_far = server_->ForecastFor(program, ranks);
  if (so_far.ok()) EndWalks(&*so_far);
  return so_far;
}

bool Study::WaitForWalks() const {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  // Of all threads: while a study waits, walks are all that they do.
  const double spent = ProcessorSeconds();
  while (!server_->WaitForWalks(kLookEveryMs)) {
    const std::chrono::duration<double> waited = Clock::now() - begin;
    if (IsWalkTooLong(waited.count(), ProcessorSeconds() - spent)) return false;
  }
  return true;
}

Status Study::RunOnce(StudyRun* run, int* exit_status) {
  const int64_t ranks = run->ranks;
  // What an earlier study left must not pass for this run's trace.
  std::error_code ignored;
  std::filesystem::remove(run->trace, ignored);
  auto words = ExpandLauncher(plan_.launcher, ranks);
  if (!words.ok()) return words.status();
  words->insert(words->end(), plan_.program.begin(), plan_.program.end());
  RecordingOptions recording;
  recording.output = run->trace;
  recording.to = server_->endpoint();
  recording.patience_seconds = plan_.patience_seconds;
  recording.own_time = SomeShareCores(plan_);
  recording.time_share = kStudyTimeShare;
  auto environment = RecordingEnvironment(recording);
  if (!environment.ok()) return environment.status();
  const auto status = WithProgress(
      plan_.program[0] + " on " + std::to_string(ranks) + " ranks", [&] {
        return RunProgram(
            {std::move(*words), std::move(*environment), run->log});
      });
  if (!status.ok()) return status.status();
  if (*status != 0) {
    *exit_status = *status;
    return Status::No("the run on " + std::to_string(ranks) +
                      " ranks ended with status " + std::to_string(*status) +
                      "; its output is in " + run->log);
  }
  return WaitUntilStored(run);
}

Status Study::WaitUntilStored(StudyRun* run) {
  if (FileBytes(run->trace) == 0) {
    return Status::Io(run->trace +
                      " was not written: is the program an MPI program that "
                      "is linked dynamically?");
  }
  const auto kept = reduction::ReadTraceHead(run->trace);
  const auto why =
      kept.ok() ? reduction::WhyNotStored(kept->meta) : std::nullopt;
  // What was refused will not come.
  const double patience_seconds =
      why ? 0 : std::min(plan_.patience_seconds, kMostPatienceSeconds);
  if (!server_->WaitForRuns(runs_.size() + 1, int(patience_seconds * 1000))) {
    return Status::Io("the run on " + std::to_string(run->ranks) +
                      " ranks did not reach the side-car" +
                      (why ? ": " + *why : "") + "; its trace is " +
                      run->trace);
  }
  const std::lock_guard lock(mutex_);
  run->seconds = last_stored_.seconds;
  run->program = last_stored_.program;
  return Status::Ok();
}

}  // namespace ranksight::cli
