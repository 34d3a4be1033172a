// ranksight check: is a new build worse than the one before?
#include "online_model/api/check.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "cli/base/files.h"
#include "cli/base/lists.h"
#include "cli/base/number_checks.h"
#include "cli/base/print.h"
#include "cli/base/progress.h"
#include "cli/base/time_options.h"
#include "cli/commands/register.h"
#include "cli/look/check_report.h"
#include "cli/symbols/site_names.h"
#include "online_model/api/joined.h"
#include "reduction/api/codec.h"

namespace ranksight::cli {
namespace {

using online_model::Communication;
using online_model::Verdict;
using reduction::Result;
using reduction::Status;
using reduction::Trace;

constexpr int kWorseExit = 1;
constexpr int kCannotTellExit = 5;

struct CheckOptions {
  std::vector<std::string> against, files;
  std::string ranks, junit, markdown, benchmark;
  double tolerance_percent = 5, within = 0;
  bool accept = false, json = false, no_time = false;
  TimeOptions times;
};

// Functions of call sites; opens each module once for each trace.
class Namer {
 public:
  explicit Namer(std::vector<std::string> places)
      : places_(std::move(places)) {}
  std::string operator()(const Trace& trace, uint32_t site) {
    auto& names = names_[&trace];
    if (names == nullptr) {
      names = std::make_shared<SiteNames>(trace.sites, places_);
    }
    return names->Functions(site);
  }

 private:
  std::vector<std::string> places_;
  std::map<const Trace*, std::shared_ptr<SiteNames>> names_;
};

// What --against names: a baseline, or traces.
struct Before {
  Communication communication;
  std::vector<Trace> traces;  // empty: a baseline
};

Result<std::vector<std::string>> TracesIn(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".trace") files.push_back(entry.path());
  }
  if (error) return Status::Io(folder + ": " + error.message());
  if (files.empty()) return Status::Io(folder + ": no file ends in .trace");
  std::ranges::sort(files);
  return files;
}

// Each folder's traces in its place.
Result<std::vector<std::string>> Expanded(
    const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    if (!std::filesystem::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    auto inside = TracesIn(path);
    if (!inside.ok()) return inside.status();
    files.insert(files.end(), inside->begin(), inside->end());
  }
  return files;
}

Result<std::string> ReadText(const std::string& path) {
  const auto bytes = reduction::ReadWholeFile(path);
  if (!bytes.ok()) return bytes.status();
  return std::string(bytes->begin(), bytes->end());
}

Result<Before> ReadBefore(const std::vector<std::string>& against) {
  auto files = Expanded(against);
  if (!files.ok()) return files.status();
  Before before;
  // A baseline is what traces would be counted to.
  if (files->size() == 1) {
    const auto text = ReadText((*files)[0]);
    if (!text.ok()) return text.status();
    if (online_model::IsBaseline(*text)) {
      auto read = online_model::ReadBaseline(*text);
      if (!read.ok()) {
        return Status(read.status().code(),
                      (*files)[0] + ':' + read.status().message());
      }
      before.communication = std::move(*read);
      return before;
    }
  }
  auto traces = ReadTraces(*files);
  if (!traces.ok()) return traces.status();
  before.traces = std::move(*traces);
  auto counted =
      online_model::CommunicationOf(before.traces, Namer(PlacesNear(*files)));
  if (!counted.ok()) return counted.status();
  before.communication = std::move(*counted);
  return before;
}

Result<online_model::Forecast> ForecastOf(const CheckOptions& options,
                                          std::vector<Trace> traces) {
  const auto ranks = ParseRankList(options.ranks);
  if (!ranks.ok()) return ranks.status();
  auto walk = ReadWalkOptions(options.times, {});
  if (!walk.ok()) return walk.status();
  OnNetwork on;
  const Status chosen =
      ChooseNetwork(options.times, online_model::AnySharedCores(traces), &on);
  if (!chosen.ok()) return chosen;
  online_model::Forecaster models;
  for (Trace& trace : traces) {
    on.Put(&trace);
    const Status added = models.AddRun(trace);
    if (!added.ok()) return added;
  }
  walk->network = on.network;
  auto links = MakeLinks(options.times.places, MostRanks(*ranks, traces));
  if (!links.ok()) return links.status();
  walk->links = std::move(*links);
  auto forecast = WithProgress("forecasting", [&](Progress* progress) {
    return online_model::JoinedForecast(models, traces, *ranks,
                                        Telling(*walk, progress));
  });
  on.Say(&forecast);
  return forecast;
}

Result<CheckReport> CompareBuilds(const CheckOptions& options,
                                  const Before& before,
                                  const std::vector<Trace>& traces,
                                  const std::vector<std::string>& places,
                                  Communication communication) {
  CheckReport report;
  auto compared =
      online_model::CompareCommunication(before.communication, communication);
  if (!compared.ok()) return compared.status();
  report.compared = std::move(*compared);
  report.communication = std::move(communication);
  if (!before.traces.empty() && !options.no_time) {
    report.times = online_model::CompareTimes(
        before.traces, traces, Namer(places), options.tolerance_percent / 100);
  }
  if (options.within > 0) {
    auto forecast = ForecastOf(options, traces);
    if (!forecast.ok()) return forecast.status();
    report.budget = online_model::CheckBudget(*forecast, options.within);
  }
  return report;
}

Status WriteReports(const CheckOptions& options, const CheckReport& report) {
  const std::pair<const std::string&, std::string (*)(const CheckReport&)>
      files[] = {{options.junit, CheckJunit},
                 {options.markdown, CheckMarkdown},
                 {options.benchmark, CheckBenchmark}};
  for (const auto& [path, text] : files) {
    if (path.empty()) continue;
    const Status written = WriteTextFile(text(report), path);
    if (!written.ok()) return written;
  }
  return Status::Ok();
}

// A new baseline in place of the old one, whatever is said of it.
int Accept(const CheckOptions& options, const Communication& communication) {
  const std::string& path = options.against[0];
  if (options.against.size() > 1 || path.ends_with(".trace") ||
      std::filesystem::is_directory(path)) {
    return Fail(Status::Usage("--accept writes one file, no trace"));
  }
  if (std::filesystem::exists(path)) {
    const auto text = ReadText(path);
    if (!text.ok()) return Fail(text.status());
    if (!online_model::IsBaseline(*text)) {
      return Fail(Status::Usage(path + " is no baseline, and is left alone"));
    }
  }
  const std::string text = online_model::BaselineText(communication);
  const Status written = WriteTextFile(text, path);
  if (!written.ok()) return Fail(written);
  Print("wrote " + path + ": " + std::to_string(text.size()) + " bytes\n");
  return 0;
}

int Check(const CheckOptions& options) {
  const auto files = Expanded(options.files);
  if (!files.ok()) return Fail(files.status());
  const auto traces = ReadTraces(*files);
  if (!traces.ok()) return Fail(traces.status());
  std::vector<std::string> places = PlacesNear(*files);
  auto communication = online_model::CommunicationOf(*traces, Namer(places));
  if (!communication.ok()) return Fail(communication.status());
  if (options.accept) return Accept(options, *communication);
  const auto before = ReadBefore(options.against);
  if (!before.ok()) return Fail(before.status());
  const auto folders = PlacesNear(options.against);
  places.insert(places.end(), folders.begin(), folders.end());
  const auto report = CompareBuilds(options, *before, *traces, places,
                                    std::move(*communication));
  if (!report.ok()) return Fail(report.status());
  const Status written = WriteReports(options, *report);
  if (!written.ok()) return Fail(written);
  Print(options.json ? CheckJson(*report) : CheckText(*report));
  const Verdict verdict = VerdictOf(*report);
  if (verdict == Verdict::kWorse) return kWorseExit;
  return verdict == Verdict::kCannotTell ? kCannotTellExit : 0;
}

}  // namespace

void RegisterCheck(Commands& commands) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* app =
      commands.Add("check", "Is a new build worse than the one before?",
                   [options] { return Check(*options); });
  app->add_option("--against", options->against,
                  "The baseline that --accept wrote, or what was run in turn\n"
                  "with TRACES: a trace or a folder of traces (repeatable)")
      ->required()
      ->type_name("BASELINE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
  app->add_option("TRACES", options->files,
                  "Traces of the new build, or folders of them")
      ->required();
  app->add_flag("--accept", options->accept,
                "Write the baseline anew from TRACES, and compare nothing");
  app->add_option("--tolerance", options->tolerance_percent,
                  "A build may be slower by so much (default: 5)")
      ->type_name("PERCENT")
      ->check(NotNegative());
  app->add_flag("--no-time", options->no_time, "Compare communication alone");
  auto* within =
      app->add_option("--within", options->within,
                      "The forecast at --ranks must be within so long; needs\n"
                      "TRACES of three rank counts")
          ->type_name("SECONDS")
          ->check(AboveZero());
  auto* ranks = app->add_option("--ranks", options->ranks,
                                "Rank counts for --within, comma-separated")
                    ->type_name("N1,N2,...")
                    ->needs(within);
  within->needs(ranks);
  AddTimeOptions(app, &options->times);
  app->add_option("--junit", options->junit,
                  "Write what was found as JUnit XML")
      ->type_name("FILE");
  app->add_option("--markdown", options->markdown,
                  "Write it for a comment on a pull request")
      ->type_name("FILE");
  app->add_option("--benchmark", options->benchmark,
                  "Write amounts and times as github-action-benchmark's\n"
                  "customSmallerIsBetter reads them")
      ->type_name("FILE");
  app->add_flag("--json", options->json,
                "One JSON document on stdout; times in seconds");
  app->footer(
      "Communication is exact: calls, bytes and pairs of ranks of each call "
      "in\n"
      "each function, at every rank count of both; with three or more, how\n"
      "they grow. Times are compared where --against gives traces: at least\n"
      "seven runs of each build at a rank count, in turn.\n"
      "Exit 0 where nothing is worse, 1 where something is, 5 where nobody "
      "can\n"
      "tell.\n\n"
      "Example: ranksight check --against ranksight.baseline app.*.trace\n"
      "         ranksight check --against before/ after/ --within 3 --ranks "
      "1024");
}

}  // namespace ranksight::cli
