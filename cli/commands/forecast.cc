// ranksight forecast: the time at rank counts nobody has run.
#include "online_model/api/forecast.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "cli/base/files.h"
#include "cli/base/lists.h"
#include "cli/base/number_checks.h"
#include "cli/base/plot.h"
#include "cli/base/plugin_option.h"
#include "cli/base/print.h"
#include "cli/base/progress.h"
#include "cli/base/time_options.h"
#include "cli/commands/register.h"
#include "cli/look/crowded.h"
#include "cli/symbols/site_names.h"
#include "online_model/api/joined.h"
#include "online_model/api/parameter.h"
#include "online_model/api/store.h"
#include "online_model/api/verdict.h"

namespace ranksight::cli {
namespace {

using online_model::Forecast;
using online_model::Forecaster;
using online_model::ModelFamily;
using online_model::ParameterForecaster;
using reduction::Result;
using reduction::Status;

struct ForecastOptions {
  std::vector<std::string> files, plugins;
  std::string store, program, ranks;
  std::string models = "weighed";
  std::string param;  // NAME=VALUE
  TimeOptions times;
  online_model::SizeTarget target;
  std::string memory_per_node;
  double limit_seconds = 0;
  bool json = false, laws_only = false;
};

// What the runs say: the laws of all, and the traces of some.
struct Runs {
  Forecaster models;
  OnNetwork on;
  std::vector<reduction::Trace> traces;
};

template <class Models>
Status AddFiles(const ForecastOptions& options, Models* models, OnNetwork* on,
                std::vector<reduction::Trace>* out) {
  const std::vector<std::string>& files = options.files;
  auto traces = ReadTraces(files);
  if (!traces.ok()) return traces.status();
  const Status chosen =
      ChooseNetwork(options.times, online_model::AnySharedCores(*traces), on);
  if (!chosen.ok()) return chosen;
  for (size_t i = 0; i < traces->size(); ++i) {
    on->Put(&(*traces)[i]);
    const Status added = models->AddRun((*traces)[i]);
    if (!added.ok()) return {added.code(), files[i] + ": " + added.message()};
  }
  *out = std::move(*traces);
  return Status::Ok();
}

// The store and the complete runs of the program's newest build that has some.
struct StoredRuns {
  online_model::Store store;
  std::vector<online_model::RunRecord> runs;  // oldest first
};

// ", but of cg, lu", or nothing where the store is empty.
std::string ProgramsIn(const online_model::Store& store) {
  const auto runs = store.List();
  if (!runs.ok()) return "";
  std::set<std::string> programs;
  for (const auto& run : *runs) programs.insert(run.program);
  std::string text;
  for (const std::string& program : programs) {
    text += (text.empty() ? ", but of " : ", ") + program;
  }
  return text;
}

Result<StoredRuns> OpenStored(const ForecastOptions& options) {
  const Status there = CheckFolder(options.store);
  if (!there.ok()) return there;
  auto store = online_model::Store::Open(options.store);
  if (!store.ok()) return store.status();
  auto runs = store->List(options.program);
  if (!runs.ok()) return runs.status();
  if (runs->empty()) {
    return Status::No("the store holds no run of " + options.program +
                      ProgramsIn(*store));
  }
  const std::string newest = runs->back().build_id;
  std::erase_if(*runs, [](const auto& run) { return !run.complete; });
  if (runs->empty()) {
    return Status::No("the store's runs of " + options.program +
                      " are all partial");
  }
  const std::string build = runs->back().build_id;
  if (build != newest) {
    Note("of the newest build of " + options.program +
         " there are partial runs alone; these are of the one before");
  }
  std::erase_if(*runs, [&](const auto& run) { return run.build_id != build; });
  return StoredRuns{std::move(*store), std::move(*runs)};
}

Status ChooseNetworkOfStored(const ForecastOptions& options,
                             const StoredRuns& stored, OnNetwork* on) {
  bool shared = false;
  for (const auto& run : stored.runs) {
    const auto trace = stored.store.Load(run);
    if (!trace.ok()) return trace.status();
    shared = shared || trace->meta.own_time;
    if (shared) break;
  }
  return ChooseNetwork(options.times, shared, on);
}

// The newest parameters are those to forecast; other runs are left out.
Status AddStored(const ForecastOptions& options, Runs* out) {
  auto stored = OpenStored(options);
  if (!stored.ok()) return stored.status();
  const Status chosen = ChooseNetworkOfStored(options, *stored, &out->on);
  if (!chosen.ok()) return chosen;
  std::map<int64_t, int> of_size;
  for (const auto& run : stored->runs) {
    if (run.params != stored->runs.back().params) continue;
    auto trace = stored->store.Load(run);
    if (!trace.ok()) return trace.status();
    out->on.Put(&*trace);
    const Status added = out->models.AddRun(*trace);
    if (!added.ok()) {
      Note(run.job + " left out: " + added.message());
      continue;
    }
    if (++of_size[run.ranks] > online_model::kMostWalkedOfASize) {
      out->traces.erase(std::ranges::find_if(out->traces, [&](const auto& t) {
        return t.meta.ranks == run.ranks;
      }));
    }
    out->traces.push_back(std::move(*trace));
  }
  return Status::Ok();
}

// Those that differ from the newest run in the parameter alone.
Status AddStored(const ForecastOptions& options, ParameterForecaster* models,
                 OnNetwork* on, std::vector<reduction::Trace>* traces) {
  auto stored = OpenStored(options);
  if (!stored.ok()) return stored.status();
  const Status chosen = ChooseNetworkOfStored(options, *stored, on);
  if (!chosen.ok()) return chosen;
  for (auto at = stored->runs.rbegin(); at != stored->runs.rend(); ++at) {
    const online_model::RunRecord& run = *at;
    auto trace = stored->store.Load(run);
    if (!trace.ok()) return trace.status();
    on->Put(&*trace);
    const Status added = models->AddRun(*trace);
    if (!added.ok()) Note(run.job + " left out: " + added.message());
    // Of each rank count one is enough to know its call sites by name.
    if (added.ok() && std::ranges::none_of(*traces, [&](const auto& t) {
          return t.meta.ranks == run.ranks;
        })) {
      traces->push_back(std::move(*trace));
    }
  }
  return Status::Ok();
}

// "64G" and the like; 0 where nothing is asked.
Result<double> ParseMemory(const std::string& text) {
  if (text.empty()) return 0.0;
  char* end = nullptr;
  double bytes = std::strtod(text.c_str(), &end);
  static const std::string kUnits = "KMGT";
  const size_t unit = *end == 0 ? std::string::npos : kUnits.find(*end);
  if (unit != std::string::npos) {
    bytes = std::ldexp(bytes, 10 * (int(unit) + 1));
    ++end;
  }
  if (end == text.c_str() || *end != 0 || !(bytes > 0) ||
      !std::isfinite(bytes)) {
    return Status::Usage("--memory-per-node '" + text +
                         "' is not a number above 0 with K, M, G or T");
  }
  return bytes;
}

ModelFamily FamilyNamed(const std::string& name) {
  if (name == "classic") return ModelFamily::kClassic;
  if (name == "normal-form") return ModelFamily::kNormalForm;
  return ModelFamily::kWeighed;
}

Result<Forecast> AtRanks(const ForecastOptions& options,
                         const std::vector<int64_t>& ranks,
                         std::vector<reduction::Trace>* traces) {
  auto walk = ReadWalkOptions(options.times, options.plugins);
  if (!walk.ok()) return walk.status();
  Runs runs{Forecaster(FamilyNamed(options.models)), {}, {}};
  const Status added = options.store.empty() ? AddFiles(options, &runs.models,
                                                        &runs.on, &runs.traces)
                                             : AddStored(options, &runs);
  if (!added.ok()) return added;
  walk->network = runs.on.network;
  walk->limit_seconds = options.limit_seconds;
  auto links = MakeLinks(options.times.places, MostRanks(ranks, runs.traces));
  if (!links.ok()) return links.status();
  walk->links = std::move(*links);
  Forecast forecast = WithProgress("forecasting", [&] {
    return options.laws_only || options.models != "weighed"
               ? runs.models.At(ranks)
               : JoinedForecast(runs.models, runs.traces, ranks, *walk);
  });
  runs.on.Say(&forecast);
  *traces = std::move(runs.traces);
  return forecast;
}

Result<Forecast> OverParameter(const ForecastOptions& options,
                               const std::vector<int64_t>& ranks,
                               std::vector<reduction::Trace>* traces) {
  const size_t equals = options.param.find('=');
  const auto value = online_model::ParameterNumber(
      equals == std::string::npos ? "" : options.param.substr(equals + 1));
  if (equals == 0 || !value) {
    return Status::Usage("--param '" + options.param +
                         "' is not NAME=NUMBER, a number above 0");
  }
  ParameterForecaster models(options.param.substr(0, equals));
  OnNetwork on;
  const Status added = options.store.empty()
                           ? AddFiles(options, &models, &on, traces)
                           : AddStored(options, &models, &on, traces);
  if (!added.ok()) return added;
  Forecast forecast =
      WithProgress("forecasting", [&] { return models.At(*value, ranks); });
  on.Say(&forecast);
  return forecast;
}

// What each rank will hold, where the runs say what theirs do.
void AddMemory(const ForecastOptions& options,
               const std::vector<int64_t>& ranks,
               const std::vector<reduction::Trace>& traces, double limit,
               Forecast* forecast) {
  // Over a parameter there is no series over ranks alone.
  if (!options.param.empty()) return;
  forecast->memory = online_model::ForecastMemory(
      traces, ranks, {limit, options.times.places.ranks_per_node});
}

// As they are kept with the runs, or found.
void SetNamesOf(const ForecastOptions& options,
                const std::vector<reduction::Trace>& traces,
                Forecast* forecast) {
  const auto store =
      options.store.empty()
          ? Result<online_model::Store>(Status::No("runs are files"))
          : online_model::Store::Open(options.store);
  for (const reduction::Trace& trace : traces) {
    reduction::Names names =
        store.ok() ? store->NamesOf(trace.sites) : reduction::Names();
    names.Add(SiteNames(trace.sites, PlacesNear(options.files)).All());
    SetNames(trace.sites, names, forecast);
  }
}

// How ranks of the largest run differ, of several the newest.
void SetSpreadsOf(const std::vector<reduction::Trace>& traces,
                  Forecast* forecast) {
  const reduction::Trace* largest = nullptr;
  for (const reduction::Trace& trace : traces) {
    if (largest == nullptr || trace.meta.ranks >= largest->meta.ranks) {
      largest = &trace;
    }
  }
  if (largest != nullptr) SetSpreads(*largest, forecast);
}

// The chart, on a terminal; in pipes there is none.
std::string ChartText(const Forecast& forecast) {
  constexpr size_t kOtherwise = 100, kLeast = 40, kRows = 16;
  ScalingPlot plot;
  plot.is_weak = online_model::Judge(forecast).is_weak;
  for (const auto& size : forecast.sizes) {
    plot.measured.push_back({double(size.ranks), size.seconds, 0, 0});
  }
  for (const auto& p : forecast.points) {
    if (p.refused) continue;
    plot.forecast.push_back({double(p.ranks), p.seconds, p.low, p.high});
  }
  std::string text;
  for (const std::string& line : PlotLines(
           plot, std::max(TerminalWidth(STDOUT_FILENO, kOtherwise), kLeast),
           kRows, PlotFormOf(STDOUT_FILENO))) {
    text += line + "\n";
  }
  return text;
}

// Behind the verdict, the first line.
std::string WithChart(std::string text, const Forecast& forecast) {
  const size_t end = text.find('\n');
  if (end != text.npos) text.insert(end + 1, ChartText(forecast));
  return text;
}

int RunForecast(const ForecastOptions& options) {
  auto ranks = ParseRankList(options.ranks);
  if (!ranks.ok()) return Fail(ranks.status());
  DropRepeated(&*ranks);
  if (!options.times.machine.empty() && options.models != "weighed") {
    return Fail(Status::Usage("--machine needs --models weighed"));
  }
  if (!options.times.messages.empty() && options.models != "weighed") {
    return Fail(Status::Usage("--messages needs --models weighed"));
  }
  if (options.times.places.given() &&
      (options.laws_only || !options.param.empty() ||
       options.models != "weighed")) {
    return Fail(Status::Usage("--torus, --topology and --tree need the walk"));
  }
  if (options.times.places.ranks_per_node > 0 &&
      !options.times.places.given() && options.memory_per_node.empty()) {
    return Fail(
        Status::Usage("--ranks-per-node needs --torus, --topology, --tree or "
                      "--memory-per-node"));
  }
  const auto limit = ParseMemory(options.memory_per_node);
  if (!limit.ok()) return Fail(limit.status());
  if (options.files.empty() && options.store.empty()) {
    return Fail(Status::Usage(
        "forecast needs trace files, or --store DIR and --program NAME"));
  }
  std::vector<reduction::Trace> traces;
  auto made = options.param.empty() ? AtRanks(options, *ranks, &traces)
                                    : OverParameter(options, *ranks, &traces);
  if (!made.ok()) return Fail(made.status());
  Forecast& forecast = *made;
  const online_model::SizeTarget& target = options.target;
  if (target.within_seconds > 0 || target.budget_rank_hours > 0) {
    forecast.best = ChooseSize(forecast, target);
  }
  AddMemory(options, *ranks, traces, *limit, &forecast);
  if (*limit > 0 && !forecast.memory) {
    Note(
        "--memory-per-node: fewer than three rank counts of these runs say "
        "what ranks held");
  }
  const std::string crowded = CrowdedText(traces);
  if (!crowded.empty()) Note(crowded);
  SetNamesOf(options, traces, &forecast);
  SetSpreadsOf(traces, &forecast);
  Print(options.json ? ToJson(forecast)
                     : WithChart(WithNames(ToText(forecast), traces,
                                           PlacesNear(options.files)),
                                 forecast));
  if (options.json) Print("\n");
  const bool all_refused = std::ranges::all_of(
      forecast.points, [](const auto& p) { return p.refused; });
  const bool none_fits = forecast.best && forecast.best->ranks == 0;
  return all_refused || none_fits ? 1 : 0;
}

}  // namespace

void RegisterForecast(Commands& commands) {
  auto options = std::make_shared<ForecastOptions>();
  CLI::App* app =
      commands.Add("forecast", "Forecast the time at other rank counts",
                   [options] { return RunForecast(*options); });
  auto* files = app->add_option(
      "TRACES", options->files,
      "Traces of one program and build, at three or more rank counts");
  auto* store =
      app->add_option("--store", options->store,
                      "Use the runs a side-car has stored here instead: those\n"
                      "of the newest build and parameters")
          ->type_name("DIR")
          ->excludes(files);
  auto* program = app->add_option("--program", options->program,
                                  "Which program's runs of the store")
                      ->type_name("NAME");
  store->needs(program);
  program->needs(store);
  app->add_option("--ranks", options->ranks, "Rank counts, comma-separated")
      ->required()
      ->type_name("N1,N2,...");
  app->add_option(
         "--models", options->models,
         "weighed (default): powers and logarithms, weighed by how they\n"
         "predict held-out runs; with seven rank counts or more, where\n"
         "no single law fits, one law up to some rank count and another\n"
         "from there. classic: the literature's four shapes, the best\n"
         "one. normal-form: its 42 growing terms")
      ->check(CLI::IsMember({"weighed", "classic", "normal-form"}))
      ->type_name("FAMILY");
  auto* param =
      app->add_option(
             "--param", options->param,
             "Forecast for this value of a parameter of the runs, which\n"
             "were made with several (record --param): three values and\n"
             "three rank counts at least, two of these run with the same\n"
             "two values. Laws over both are added up; nothing is walked")
          ->type_name("NAME=NUMBER");
  auto* laws_only = app->add_flag(
      "--laws-only", options->laws_only,
      "Add up the laws of all events; do not walk the extrapolated\n"
      "trace (classic and normal-form never do)");
  app->add_option(
         "--machine", options->times.machine,
         "Times on another machine, by what computation and messages\n"
         "take there of what they take here (ranksight machine); needs\n"
         "the walk, and so --models weighed")
      ->type_name("FILE")
      ->excludes(laws_only)
      ->excludes(param);
  AddTimeOptions(app, &options->times);
  app->get_option("--messages")->excludes(laws_only)->excludes(param);
  AddPluginOption(app, &options->plugins);
  app->add_option("--within", options->target.within_seconds,
                  "Name the cheapest of these rank counts that takes at most\n"
                  "so long")
      ->type_name("SECONDS")
      ->check(AboveZero());
  app->add_option(
         "--budget", options->target.budget_rank_hours,
         "Name the fastest of these rank counts that takes at most so\n"
         "many rank hours (with --within: the cheapest)")
      ->type_name("RANK_HOURS")
      ->check(AboveZero());
  app->add_option("--limit", options->limit_seconds,
                  "Walk no longer than so: what is not walked by then is what\n"
                  "laws add up to, and says so. A search for laws that has\n"
                  "begun goes on to its end")
      ->type_name("SECONDS")
      ->check(AboveZero())
      ->excludes(laws_only)
      ->excludes(param);
  app->add_option("--memory-per-node", options->memory_per_node,
                  "Name the fewest nodes of so much memory that hold a run;\n"
                  "ranks on each as the largest run had them, or as\n"
                  "--ranks-per-node says")
      ->type_name("BYTES[K|M|G|T]")
      ->excludes(param);
  app->add_flag("--json", options->json,
                "One JSON document on stdout; times in seconds, memory in\n"
                "bytes");
  app->footer(
      "Where the trace at N can be extrapolated, all its ranks are walked\n"
      "through it with a network fitted to the runs given, so that waiting\n"
      "and overlap count; elsewhere the laws of all events are added up and\n"
      "the reason is printed.\n"
      "Prints the time at each rank count with its 90 % interval, the shares\n"
      "of computation and communication, the efficiency, the call sites that\n"
      "grow, which of them takes most time from which rank count on, and the\n"
      "run that would help most. Efficiency is against the smallest run,\n"
      "strong if the work is the same at all rank counts, weak if it grows\n"
      "with them. A point whose interval is too wide is refused with the\n"
      "reason; exit 1 when all are, or when none meets --within or "
      "--budget.\n\n"
      "Example: ranksight forecast app.*.trace --ranks 64,1024");
}

}  // namespace ranksight::cli
