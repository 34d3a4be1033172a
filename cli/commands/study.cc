// ranksight study: the main job in one line.
#include "cli/study/study.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "cli/base/files.h"
#include "cli/base/lists.h"
#include "cli/base/locate.h"
#include "cli/base/print.h"
#include "cli/base/progress.h"
#include "cli/base/time_options.h"
#include "cli/commands/register.h"
#include "cli/commands/study_line.h"
#include "cli/look/checked_twin.h"
#include "cli/look/crowded.h"
#include "cli/look/extrapolation_report.h"
#include "cli/look/page_extras.h"
#include "cli/study/batch.h"
#include "cli/study/study_facts.h"
#include "cli/study/study_options.h"
#include "cli/study/study_text.h"
#include "cli/symbols/site_names.h"
#include "online_model/api/page.h"
#include "reduction/api/codec.h"
#include "reduction/api/shown_text.h"

namespace ranksight::cli {
namespace {

using online_model::Forecast;
using reduction::Result;
using reduction::Status;
using reduction::StatusCode;

// Says things to people and keeps them for the report.
class Report {
 public:
  explicit Report(bool quiet) : quiet_(quiet) {}
  void Say(const std::string& text) {
    text_ += text;
    if (quiet_) return;
    Print(text);
    // A study takes long; what it found so far should be seen. What could not
    // be written is said at the end.
    (void)std::fflush(stdout);
  }
  const std::string& text() const { return text_; }

 private:
  bool quiet_;
  std::string text_;
};

struct Extrapolated {
  Status status = Status::Ok();  // kNo: refused
  std::string file;
  online_model::ExtrapolationReport report;
};

// For the rank counts that are run and asked for, and those of the page.
Status SetLinks(const StudyOptions& options, StudyPlan* plan) {
  // Jobs run elsewhere.
  const bool here = options.submit.empty() && options.collect.empty();
  if (here && options.places.given() && SomeShareCores(*plan)) {
    return Status::Usage(
        "--torus, --topology and --tree need a core for each rank: the "
        "largest of these runs has more ranks than this machine has cores");
  }
  std::vector<int64_t> measured = plan->ranks;
  std::ranges::sort(measured);
  int64_t most = std::max(measured.back(), options.extrapolate);
  for (const auto& ranks :
       {online_model::CurveRanks(measured), plan->targets}) {
    if (!ranks.empty()) most = std::max(most, *std::ranges::max_element(ranks));
  }
  auto links = MakeLinks(options.places, most);
  if (!links.ok()) return links.status();
  plan->links = std::move(*links);
  return Status::Ok();
}

Result<StudyPlan> PlanOf(const StudyOptions& options,
                         const std::vector<std::string>& program) {
  StudyPlan plan;
  if (program.empty()) {
    return Status::Usage(
        "study needs a program: ranksight study [OPTIONS] -- ./app ARGS...");
  }
  if (options.forecast.empty() && options.extrapolate == 0) {
    return Status::Usage("study needs --forecast or --extrapolate");
  }
  if (options.ranks.empty()) return Status::Usage("study needs --ranks");
  auto ranks = ParseRankList(options.ranks);
  if (!ranks.ok()) return ranks.status();
  if (!options.forecast.empty()) {
    auto targets = ParseRankList(options.forecast);
    if (!targets.ok()) return targets.status();
    plan.targets = *targets;
    DropRepeated(&plan.targets);
  }
  plan.program = program;
  plan.ranks = *ranks;
  plan.repeat = options.repeat;
  plan.patience_seconds = options.patience_seconds;
  plan.launcher = LauncherOf(options.launcher);
  plan.folder = options.folder;
  plan.store = options.store;
  auto network = online_model::FindNetwork(options.network);
  if (!network.ok()) return network.status();
  plan.network = std::move(*network);
  const Status loaded =
      online_model::LoadOwnLaws(options.plugins, &plan.own_laws);
  if (!loaded.ok()) return loaded;
  // A launcher that cannot be read is said before the first run.
  const auto launcher = ExpandLauncher(plan.launcher, 1);
  if (!launcher.ok()) return launcher.status();
  const Status linked = SetLinks(options, &plan);
  if (!linked.ok()) return linked;
  return plan;
}

// The first run of each size, by size: structure and machine are the same in
// every repetition.
using FirstRuns = reduction::Result<std::vector<reduction::Trace>>;

// All of them, as the forecast takes them.
FirstRuns ReadRuns(const std::vector<StudyRun>& runs) {
  std::vector<std::string> files;
  for (const StudyRun& run : runs) files.push_back(run.trace);
  return ReadTraces(files);
}

FirstRuns ReadFirstRuns(const std::vector<StudyRun>& runs) {
  std::map<int64_t, std::string> sizes;
  for (const StudyRun& run : runs) sizes.emplace(run.ranks, run.trace);
  std::vector<std::string> files;
  for (const auto& [ranks, file] : sizes) files.push_back(file);
  return ReadTraces(files);
}

Extrapolated ExtrapolateRuns(const FirstRuns& inputs, const Study& study,
                             const StudyOptions& options, Progress* progress) {
  Extrapolated result;
  result.file = options.output;
  if (result.file.empty()) {
    result.file = options.folder + "/" +
                  StudyFileName(study.runs()[0].program, options.extrapolate, 1,
                                ".trace");
  }
  if (!inputs.ok()) {
    result.status = inputs.status();
    return result;
  }
  online_model::ExtrapolationRequest request = study.how();
  request.ranks = options.extrapolate;
  request.tell_share = TellTo(progress);
  std::string hint;
  std::shared_ptr<online_model::TwinMaker> twins;
  auto made = ExtrapolateOrTwin(*inputs, request, 0, &hint, &twins, progress);
  if (!made.ok()) {
    result.status = {
        made.status().code(),
        WithNames(made.status().message(), *inputs, study.places()) + hint};
    return result;
  }
  TimeOptions times;
  times.network = options.network;
  times.places = options.places;
  auto runs = ReadRuns(study.runs());
  result.status = runs.ok()
                      ? SetTimes(times, options.plugins, std::move(*runs),
                                 &made->trace, std::move(twins),
                                 TellTo(progress, "forecasting its times"))
                      : runs.status();
  if (!result.status.ok()) return result;
  std::vector<std::string> files;
  for (const StudyRun& run : study.runs()) files.push_back(run.trace);
  result.status = WriteNamedTrace(made->trace, result.file, files);
  result.report = made->report;
  return result;
}

std::string ExtrapolatedText(const Extrapolated& result, int64_t ranks) {
  std::string out = fmt::format("\nextrapolation to {} ranks\n", ranks);
  if (!result.status.ok()) return out + result.status.message() + "\n";
  return out + ReportText(result.report, false) + "wrote " +
         reduction::ShownName(result.file) + "\n";
}

void SetNamesOf(const Study& study, const std::vector<reduction::Trace>& traces,
                Forecast* forecast) {
  const std::vector<std::string> places = study.places();
  forecast->paths.clear();  // the study's side-car knows no names
  for (const reduction::Trace& trace : traces) {
    SetNames(trace.sites, SiteNames(trace.sites, places).All(), forecast);
  }
}

std::string OrNothing(reduction::Result<std::string> text) {
  return text.ok() ? std::move(text).value() : "";
}

// Best effort: what cannot be had is left out of the page.
std::string ReportPage(const StudyOptions& options, const Study& study,
                       const FirstRuns& traces, const Forecast* curve) {
  online_model::ReportContent content;
  content.title = study.runs().back().program + ", " +
                  std::to_string(study.runs().size()) + " runs";
  if (curve != nullptr) {
    if (traces.ok()) {
      content.facts = StudyFacts(options, study.program(), *traces, *curve,
                                 RANKSIGHT_VERSION);
      content.warning = SharedCoresText(*traces, *curve);
    }
    content.forecast = ToJson(*curve);
  }
  if (!traces.ok()) return ReportHtml(content);
  const reduction::Trace& largest = traces->back();
  content.matrix = OrNothing(MatrixJson(largest));
  content.timeline = OrNothing(TimelinePageJson(largest));
  content.load =
      OrNothing(LoadPageJson(largest, LayoutOn(options.places, largest)));
  content.laws = OrNothing(LawsJson(*traces, study.how()));
  return ReportHtml(content);
}

Status WriteFiles(const StudyOptions& options, const Study& study,
                  const FirstRuns& traces, const std::string& report,
                  const Forecast& forecast) {
  Status written = WriteTextFile(report, options.folder + "/report.txt");
  if (written.ok()) {
    written = WriteTextFile(
        ReportPage(options, study, traces, forecast.judged_by.get()),
        options.folder + "/report.html");
  }
  if (!written.ok()) return written;
  return WriteTextFile(online_model::ToJson(forecast),
                       options.folder + "/forecast.json");
}

std::string JsonText(const StudyOptions& options,
                     const std::vector<StudyRun>& runs,
                     const Forecast& forecast, const Extrapolated& result) {
  JsonWriter json;
  json.BeginObject();
  WriteStudy(runs, forecast, &json);
  if (options.extrapolate > 0) {
    json.Key("extrapolation").BeginObject();
    json.Member("ranks", options.extrapolate);
    if (result.status.ok()) {
      json.Member("file", result.file);
      WriteReport(result.report, &json);
    } else {
      json.Member("refusal", result.status.message());
    }
    json.EndObject();
  }
  return json.Member("folder", options.folder).EndObject().text();
}

// The forecast, and a line where runs were crowded.
std::string ForecastText(const FirstRuns& traces, const Forecast& forecast) {
  const std::string text = ToText(forecast);
  if (!traces.ok()) return text;
  const std::string crowded = CrowdedText(*traces);
  return text + (crowded.empty() ? "" : "note: " + crowded + "\n");
}

int Finish(const StudyOptions& options, const Study& study, Forecast forecast,
           Report* report) {
  const std::vector<StudyRun>& runs = study.runs();
  const FirstRuns traces = ReadFirstRuns(runs);
  // Terminal, files and page say the same in one sentence.
  if (auto curve = study.Curve(); curve.ok()) {
    if (traces.ok()) SetNamesOf(study, *traces, &*curve);
    forecast.judged_by = std::make_shared<const Forecast>(std::move(*curve));
  }
  if (traces.ok()) SetNamesOf(study, *traces, &forecast);
  if (!forecast.points.empty()) {
    report->Say("\n" + ForecastText(traces, forecast));
  }
  Extrapolated result;
  if (options.extrapolate > 0) {
    result = WithProgress("extrapolating", [&](Progress* progress) {
      return ExtrapolateRuns(traces, study, options, progress);
    });
    report->Say(ExtrapolatedText(result, options.extrapolate));
  }
  const Status written =
      WriteFiles(options, study, traces, report->text(), forecast);
  if (!written.ok()) return Fail(written);
  const bool refused = result.status.code() == StatusCode::kNo;
  if (!result.status.ok() && !refused) return Fail(result.status);
  if (options.json) Print(JsonText(options, runs, forecast, result));
  // A trace that was made is an answer, however wide the intervals are.
  if (options.extrapolate > 0) return refused ? 1 : 0;
  return AllRefused(forecast) ? 1 : 0;
}

// Makes the folder. What could not be written at the end is to be known before
// the runs.
Status PrepareFiles(const StudyOptions& options) {
  Status status = MakeDirectories(options.folder);
  if (!status.ok()) return status;
  for (const char* name : {"report.txt", "report.html", "forecast.json"}) {
    status = CheckWritable(options.folder + "/" + name);
    if (!status.ok()) return status;
  }
  return options.output.empty() ? Status::Ok() : CheckWritable(options.output);
}

int RunHere(const StudyOptions& options, StudyPlan plan) {
  const size_t of = plan.ranks.size() * static_cast<size_t>(plan.repeat);
  auto study = Study::Start(std::move(plan));
  if (!study.ok()) return Fail(study.status());
  Report report(options.json);
  Forecast last;
  int exit_status = 0;
  const Status ran = (*study)->Run(
      [&](const StudyRun& run, const Forecast& forecast) {
        last = forecast;
        report.Say(RunText(run, forecast, (*study)->runs().size(), of));
      },
      &exit_status);
  if (!ran.ok()) {
    const int code = Fail(ran);
    return exit_status != 0 ? exit_status : code;
  }
  return Finish(options, **study, last, &report);
}

int SubmitRuns(const StudyOptions& options, const StudyPlan& plan) {
  const Status saved = SaveStudy(options, plan.program);
  if (!saved.ok()) return Fail(saved);
  int exit_status = 0;
  const Status filed = FileJobs(
      plan, options.submit, [](const std::string& line) { Print(line); },
      &exit_status);
  if (filed.ok()) return 0;
  const int code = Fail(filed);
  return exit_status != 0 ? exit_status : code;
}

// Says which runs lack; the exit status that this means.
int SayMissing(const StudyPlan& plan, Report* report) {
  int code = 0;
  for (const StudyRun& run : PlannedRuns(plan)) {
    const Job job = FindJob(run);
    if (job.state == JobState::kDone) continue;
    report->Say(JobText(plan, run, job));
    if (job.state == JobState::kFailed && job.exit_status != 0) {
      code = job.exit_status;
    }
    if (code == 0) code = 1;
  }
  return code;
}

int CollectRuns(StudyOptions options, const StudyPlan& plan) {
  const size_t of = plan.ranks.size() * static_cast<size_t>(plan.repeat);
  auto study = Study::Start(plan);
  if (!study.ok()) return Fail(study.status());
  Report report(options.json);
  const auto forecast = (*study)->Collect([&](const StudyRun& run) {
    report.Say(RunText(run, {}, (*study)->runs().size(), of));
  });
  if (!forecast.ok()) return Fail(forecast.status());
  const int missing = SayMissing(plan, &report);
  if ((*study)->runs().empty()) return missing;
  // The largest run says most about a trace that nobody ran.
  if (missing != 0) options.extrapolate = 0;
  const int answer = Finish(options, **study, *forecast, &report);
  // What cannot be written is worse than what is not there yet.
  return missing == 0 || answer > 1 ? answer : missing;
}

int RunStudy(StudyOptions options, std::vector<std::string> program) {
  OutliveReaders();
  if (!options.collect.empty()) {
    const Status taken = TakeSaved(&options, &program);
    if (!taken.ok()) return Fail(taken);
  }
  auto plan = PlanOf(options, program);
  if (!plan.ok()) return Fail(plan.status());
  const Status prepared = PrepareFiles(options);
  if (!prepared.ok()) return Fail(prepared);
  if (!options.submit.empty()) return SubmitRuns(options, *plan);
  if (!options.collect.empty()) return CollectRuns(options, *plan);
  return RunHere(options, std::move(*plan));
}

}  // namespace

void RegisterStudy(Commands& commands) {
  auto options = std::make_shared<StudyOptions>();
  CLI::App* app = commands.Add(
      "study", "Run a program at a few sizes and forecast it at larger ones",
      [options, &commands] {
        return RunStudy(*options, commands.program_line());
      });
  AddStudyOptions(app, options.get());
  app->footer(
      "Usage: ranksight study [OPTIONS] -- PROGRAM ARGS...\n\n"
      "Starts a side-car of its own, runs the program at each size with the\n"
      "runtime preloaded, and prints the forecast after each run as it\n"
      "sharpens; --forecast or --extrapolate is needed, or both.\n"
      "What the program prints goes to <program>.<ranks>.log in the\n"
      "study's folder. A run that fails ends the study with its exit status.\n"
      "Exit 1 when the extrapolation is refused, or, without one, every\n"
      "forecast.\n\n"
      "Example: ranksight study --ranks 4,9,16,25 --forecast 64,1024\n"
      "         --extrapolate 100 -- ./stencil2d --steps 100");
}

}  // namespace ranksight::cli
