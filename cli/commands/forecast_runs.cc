#include "cli/commands/forecast_runs.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "cli/base/files.h"
#include "cli/base/print.h"
#include "cli/base/progress.h"
#include "online_model/api/at_setting.h"
#include "online_model/api/joined.h"
#include "online_model/api/parameter.h"
#include "online_model/api/store.h"

namespace ranksight::cli {

using online_model::Forecast;
using online_model::Forecaster;
using online_model::ModelFamily;
using online_model::ParameterForecaster;
using online_model::WhatIf;
using reduction::Result;
using reduction::Status;

namespace {

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
  // Builds do not mix: the newest one of which there are whole runs.
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
    if (added.ok()) traces->push_back(std::move(*trace));
  }
  return Status::Ok();
}

ModelFamily FamilyNamed(const std::string& name) {
  if (name == "classic") return ModelFamily::kClassic;
  if (name == "normal-form") return ModelFamily::kNormalForm;
  return ModelFamily::kWeighed;
}

// ranks: that need places.
Result<WhatIf> WhatIfOf(const ForecastCase& one, int64_t ranks) {
  WhatIf what_if;
  what_if.compute_scale = one.options.what_if.ComputeScale();
  what_if.bytes_scale = one.options.what_if.bytes_scale;
  auto scales = reduction::ReadSiteScales(one.options.what_if.site_scales);
  if (!scales.ok()) return scales.status();
  what_if.site_scales = std::move(*scales);
  if (!NamesPlaces(one.values)) return what_if;
  auto links = MakeLinks(one.options.times.places, ranks);
  if (!links.ok()) return links.status();
  what_if.links = std::move(*links);
  return what_if;
}

}  // namespace

bool IsWalked(const ForecastOptions& options) {
  return !options.laws_only && options.param.empty() &&
         options.models == "weighed";
}

Result<std::vector<Forecast>> AtRanks(const ForecastOptions& options,
                                      const std::vector<int64_t>& ranks,
                                      const std::vector<ForecastCase>& cases,
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
  const int64_t most = MostRanks(ranks, runs.traces);
  auto links = MakeLinks(options.times.places, most);
  if (!links.ok()) return links.status();
  walk->links = std::move(*links);
  std::vector<WhatIf> what_ifs;
  for (const ForecastCase& one : cases) {
    auto what_if = WhatIfOf(one, most);
    if (!what_if.ok()) return what_if.status();
    what_ifs.push_back(std::move(*what_if));
  }
  auto forecasts = WithProgress(
      "forecasting", [&](Progress* progress) -> Result<std::vector<Forecast>> {
        if (IsWalked(options)) {
          return ForecastsIf(runs.models, runs.traces, ranks,
                             Telling(*walk, progress), what_ifs);
        }
        return std::vector<Forecast>{runs.models.At(ranks)};
      });
  if (!forecasts.ok()) return forecasts;
  for (size_t i = 0; i < forecasts->size(); ++i) {
    Forecast& forecast = (*forecasts)[i];
    runs.on.Say(&forecast);
    const auto& there = what_ifs[i].links ? what_ifs[i].links : walk->links;
    if (IsWalked(options) && there) forecast.links = there->name();
  }
  *traces = std::move(runs.traces);
  return forecasts;
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
  const std::string name = options.param.substr(0, equals);
  ParameterForecaster models(name);
  OnNetwork on;
  const Status added = options.store.empty()
                           ? AddFiles(options, &models, &on, traces)
                           : AddStored(options, &models, &on, traces);
  if (!added.ok()) return added;
  auto walk = ReadWalkOptions(options.times, options.plugins);
  if (!walk.ok()) return walk.status();
  walk->network = on.network;
  // Structure is known at whole numbers.
  const auto setting = ParseSetting(options.param);
  Forecast forecast = WithProgress("forecasting", [&] {
    if (!setting.ok() || options.laws_only) return models.At(*value, ranks);
    return online_model::JoinedForecastAt(
        models, *traces, {name, setting->second, walk->own_laws}, ranks, *walk);
  });
  on.Say(&forecast);
  return forecast;
}

}  // namespace ranksight::cli
