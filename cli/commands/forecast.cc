// ranksight forecast: the time at rank counts nobody has run.
#include "online_model/api/forecast.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <tuple>

#include "cli/base/files.h"
#include "cli/base/lists.h"
#include "cli/base/number_checks.h"
#include "cli/base/plot.h"
#include "cli/base/plugin_option.h"
#include "cli/base/print.h"
#include "cli/commands/forecast_runs.h"
#include "cli/commands/register.h"
#include "cli/look/case_table.h"
#include "cli/look/crowded.h"
#include "cli/symbols/site_names.h"
#include "online_model/api/store.h"
#include "online_model/api/verdict.h"

namespace ranksight::cli {
namespace {

using online_model::Forecast;
using reduction::Result;
using reduction::Status;

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

// kUsage where options do not go together.
Status CheckOptions(const ForecastOptions& options) {
  const PlaceOptions& places = options.times.places;
  if (!options.times.machine.empty() && options.models != "weighed") {
    return Status::Usage("--machine needs --models weighed");
  }
  if (!options.times.messages.empty() && options.models != "weighed") {
    return Status::Usage("--messages needs --models weighed");
  }
  if (places.given() && !IsWalked(options)) {
    return Status::Usage("--torus, --topology and --tree need the walk");
  }
  if (places.ranks_per_node > 0 && !places.given() &&
      options.memory_per_node.empty()) {
    return Status::Usage(
        "--ranks-per-node needs --torus, --topology, --tree or "
        "--memory-per-node");
  }
  if (options.what_if.ChangesProgram() && !IsWalked(options)) {
    return Status::Usage(
        "--compute-scale, --site-scale, --no-compute and --bytes-scale need "
        "the walk");
  }
  if (options.files.empty() && options.store.empty()) {
    return Status::Usage(
        "forecast needs trace files, or --store DIR and --program NAME");
  }
  return CheckWhatIf(options.what_if);
}

// All that is said of a forecast beside its times.
void AddFacts(const ForecastOptions& options, const std::vector<int64_t>& ranks,
              const std::vector<reduction::Trace>& traces, double memory_limit,
              Forecast* forecast) {
  const online_model::SizeTarget& target = options.target;
  if (target.within_seconds > 0 || target.budget_rank_hours > 0) {
    forecast->best = ChooseSize(*forecast, target);
  }
  AddMemory(options, ranks, traces, memory_limit, forecast);
  SetNamesOf(options, traces, forecast);
  SetSpreadsOf(traces, forecast);
}

void NoteAbout(const std::vector<reduction::Trace>& traces, bool lacks_memory) {
  if (lacks_memory) {
    Note(
        "--memory-per-node: fewer than three rank counts of these runs say "
        "what ranks held");
  }
  const std::string crowded = CrowdedText(traces);
  if (!crowded.empty()) Note(crowded);
}

bool IsAnyAnswer(const Forecast& forecast) {
  const bool all_refused = std::ranges::all_of(
      forecast.points, [](const auto& p) { return p.refused; });
  const bool none_fits = forecast.best && forecast.best->ranks == 0;
  return !all_refused && !none_fits;
}

Result<Forecast> TheForecast(const ForecastOptions& options,
                             const std::vector<int64_t>& ranks,
                             std::vector<reduction::Trace>* traces) {
  if (!options.param.empty()) return OverParameter(options, ranks, traces);
  const std::vector<ForecastCase> as_is = {ForecastCase{{}, options}};
  auto made = AtRanks(options, ranks, as_is, traces);
  if (!made.ok()) return made.status();
  return std::move(made->front());
}

int RunForecast(const ForecastOptions& options) {
  auto ranks = ParseRankList(options.ranks);
  if (!ranks.ok()) return Fail(ranks.status());
  DropRepeated(&*ranks);
  if (Status s = CheckOptions(options); !s.ok()) return Fail(s);
  const auto limit = ParseMemory(options.memory_per_node);
  if (!limit.ok()) return Fail(limit.status());
  std::vector<reduction::Trace> traces;
  auto forecast = TheForecast(options, *ranks, &traces);
  if (!forecast.ok()) return Fail(forecast.status());
  AddFacts(options, *ranks, traces, *limit, &*forecast);
  NoteAbout(traces, *limit > 0 && !forecast->memory);
  Print(options.json ? ToJson(*forecast)
                     : WithChart(WithNames(ToText(*forecast), traces,
                                           PlacesNear(options.files)),
                                 *forecast));
  if (options.json) Print("\n");
  return IsAnyAnswer(*forecast) ? 0 : 1;
}

// The options of each case.
Result<std::vector<ForecastCase>> ForecastCasesOf(ForecastOptions* options) {
  const auto cases = CasesOf(options->vary);
  if (!cases.ok()) return cases.status();
  const ForecastOptions given = *options;
  std::vector<ForecastCase> varied;
  for (const Case& one : *cases) {
    *options = given;
    Status s = SetCase(options->vary, one);
    DropOtherNetworks(one, &options->times.places);
    if (s.ok()) s = CheckOptions(*options);
    if (s.ok() && !IsWalked(*options)) {
      s = Status::Usage("--vary needs the walk");
    }
    if (!s.ok()) return s;
    varied.push_back({one, *options});
  }
  *options = given;
  return varied;
}

CaseRow RowOf(const Case& one, const Forecast& forecast) {
  CaseRow row{one, {}, ToJson(forecast)};
  for (const online_model::ForecastPoint& p : forecast.points) {
    row.points.push_back(
        {p.ranks, p.seconds, p.low, p.high, p.refused ? p.reason : ""});
  }
  return row;
}

// Cases by what decides the fit to the runs, which is the same for all else.
using OfOneFit = std::map<std::pair<std::string, std::string>,
                          std::vector<size_t>>;  // network, machine

int ForecastCases(ForecastOptions* options) {
  auto ranks = ParseRankList(options->ranks);
  if (!ranks.ok()) return Fail(ranks.status());
  DropRepeated(&*ranks);
  const auto limit = ParseMemory(options->memory_per_node);
  if (!limit.ok()) return Fail(limit.status());
  const auto cases = ForecastCasesOf(options);
  if (!cases.ok()) return Fail(cases.status());
  // A fit takes far longer than a what-if: cases on one network and machine
  // share it.
  OfOneFit fits;
  for (size_t i = 0; i < cases->size(); ++i) {
    const TimeOptions& times = (*cases)[i].options.times;
    fits[{times.network, times.machine}].push_back(i);
  }
  CaseTable table(cases->size());
  bool any_answer = false;
  std::vector<reduction::Trace> traces;
  for (const auto& [fit, numbers] : fits) {
    ForecastOptions fitted = *options;
    std::tie(fitted.times.network, fitted.times.machine) = fit;
    std::vector<ForecastCase> of_fit;
    for (const size_t i : numbers) of_fit.push_back((*cases)[i]);
    auto made = AtRanks(fitted, *ranks, of_fit, &traces);
    if (!made.ok()) return Fail(made.status());
    for (size_t i = 0; i < numbers.size(); ++i) {
      Forecast& forecast = (*made)[i];
      AddFacts(fitted, *ranks, traces, *limit, &forecast);
      any_answer = any_answer || IsAnyAnswer(forecast);
      table[numbers[i]] = RowOf(of_fit[i].values, forecast);
    }
  }
  NoteAbout(traces, false);
  Print(options->json ? CasesJson(table, "forecast") : CasesText(table));
  return any_answer ? 0 : 1;
}

}  // namespace

void RegisterForecast(Commands& commands) {
  auto options = std::make_shared<ForecastOptions>();
  CLI::App* app = commands.Add(
      "forecast", "Forecast the time at other rank counts", [options] {
        return options->vary.words.empty() ? RunForecast(*options)
                                           : ForecastCases(options.get());
      });
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
             "two values. Walked where the structure follows laws over both\n"
             "(three rank counts at each value), else laws are added up")
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
  AddWhatIfOptions(app, WhatIfUser::kForecast, &options->what_if);
  AddVaryOption(
      app,
      {"compute-scale", "site-scale", "bytes-scale", "topology", "torus",
       "routing", "map", "order", "ranks-per-node", "network", "machine"},
      &options->vary);
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
      "strong where the work is the same at all rank counts, weak where it\n"
      "grows with them. A point whose interval is too wide is refused with "
      "the\n"
      "reason; exit 1 when all are, or when none meets --within or "
      "--budget.\n\n"
      "Example: ranksight forecast app.*.trace --ranks 64,1024");
}

}  // namespace ranksight::cli
