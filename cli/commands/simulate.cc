// ranksight simulate: replays a trace in simulated time.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "cli/base/files.h"
#include "cli/base/number_checks.h"
#include "cli/base/print.h"
#include "cli/base/topology_options.h"
#include "cli/commands/register.h"
#include "cli/commands/simulate_links.h"
#include "cli/commands/simulate_run.h"
#include "cli/look/case_table.h"
#include "reduction/api/codec.h"

namespace ranksight::cli {
namespace {

using reduction::Result;
using reduction::Status;

// kUsage where options do not go together, kIo where files are not there or
// cannot be.
Status CheckOptions(const SimulateOptions& options) {
  const PlaceOptions& places = options.places;
  if (places.given() == !options.platform.empty()) {
    return Status::Usage(
        "a network (--torus, --topology, ...) or --platform is needed");
  }
  if (places.torus.empty() && !options.work.tune.empty()) {
    return Status::Usage("--tune needs --torus");
  }
  if (!places.given() &&
      !(places.routing.empty() && places.link_speeds.empty() &&
        places.network.empty() && places.order.empty())) {
    return Status::Usage(
        "--routing, --network, --link-speed and --order need --torus or "
        "--topology");
  }
  if (options.platform.empty()) {
    if (!options.hosts.empty())
      return Status::Usage("--hosts needs --platform");
  } else {
    if (!places.map.empty()) {
      return Status::Usage("--map needs --torus or --topology");
    }
    if (options.hosts.empty() && places.ranks_per_node > 0) {
      return Status::Usage(
          "--ranks-per-node needs --torus, --topology or --hosts");
    }
    const auto platform = reduction::ReadWholeFile(options.platform);
    if (!platform.ok()) return platform.status();
  }
  if (options.engine == "links") {
    if (Status s = CheckOwnWalk(options); !s.ok()) return s;
  }
  if (Status s = CheckWhatIf(options.work.what_if); !s.ok()) return s;
  return options.record.empty() ? Status::Ok() : CheckWritable(options.record);
}

int Simulate(const SimulateOptions& options) {
  if (Status s = CheckOptions(options); !s.ok()) return Fail(s);
  const auto trace = ReadExactTrace(options.file);
  if (!trace.ok()) return Fail(trace.status());
  const auto factors = SiteFactors(options.work.what_if, trace->sites);
  if (!factors.ok()) return Fail(factors.status());
  const auto needs = NeedsOf(options, *trace);
  if (!needs.ok()) return Fail(needs.status());
  SayNeeds(options, *needs);
  const NewFile record(options.record);
  const auto ended =
      SimulateOne(options, *trace, *needs,
                  "simulating " + std::to_string(trace->meta.ranks) + " ranks");
  if (!ended.ok()) return Fail(ended.status());
  Print(ended->output);
  if (ended->status != 0) return ended->status;
  const Status kept = options.record.empty() ? Status::Ok() : record.Check();
  return kept.ok() ? 0 : Fail(kept);
}

// A row of the table, from what the tool has written.
Result<CaseRow> RowOf(const Case& one, const std::string& document) {
  const auto json = nlohmann::json::parse(document, nullptr, false);
  if (!json.is_object()) return Status::Io("the simulation wrote no figures");
  const CasePoint point{json.value("ranks", int64_t{0}),
                        json.value("replayed_seconds", 0.0), 0, 0, ""};
  return CaseRow{one, {point}, document};
}

// The options of each case, all of which are looked at before the first of them
// takes its time.
Result<std::vector<SimulateOptions>> OptionsOf(const std::vector<Case>& cases,
                                               const reduction::Sites& sites,
                                               SimulateOptions* options) {
  const SimulateOptions given = *options;
  std::vector<SimulateOptions> of_case;
  for (const Case& one : cases) {
    *options = given;
    Status s = SetCase(options->vary, one);
    if (DropOtherNetworks(one, &options->places)) options->platform.clear();
    options->json = true;
    if (s.ok()) s = CheckOptions(*options);
    if (s.ok()) s = SiteFactors(options->work.what_if, sites).status();
    if (!s.ok()) return s;
    of_case.push_back(*options);
  }
  *options = given;
  return of_case;
}

// The simulation of each case, one after the other.
int SimulateCases(SimulateOptions* options) {
  const auto cases = CasesOf(options->vary);
  if (!cases.ok()) return Fail(cases.status());
  if (!options->record.empty()) {
    return Fail(
        Status::Usage("--record keeps one simulation, --vary has more"));
  }
  const auto trace = ReadExactTrace(options->file);
  if (!trace.ok()) return Fail(trace.status());
  const auto of_case = OptionsOf(*cases, trace->sites, options);
  if (!of_case.ok()) return Fail(of_case.status());
  CaseTable table;
  for (size_t i = 0; i < of_case->size(); ++i) {
    const auto needs = NeedsOf((*of_case)[i], *trace);
    if (!needs.ok()) return Fail(needs.status());
    if (i == 0) SayNeeds(of_case->front(), *needs);
    const auto ended = SimulateOne(
        (*of_case)[i], *trace, *needs,
        fmt::format("simulating case {} of {}", i + 1, of_case->size()));
    if (!ended.ok()) return Fail(ended.status());
    if (ended->status != 0) return ended->status;
    auto row = RowOf((*cases)[i], ended->output);
    if (!row.ok()) return Fail(row.status());
    table.push_back(std::move(*row));
  }
  Print(options->json ? CasesJson(table, "simulation") : CasesText(table));
  return 0;
}

void AddPlaces(CLI::App* app, SimulateOptions* options) {
  AddPlaceOptions(
      app,
      {"The network",
       "Places of the ranks on the network, as `ranksight map` writes them",
       "as few as will do"},
      &options->places);
  app->get_option("--order")->excludes(app->get_option("--map"));
  AddLinksAsNamed(app, &options->places);
  app->add_option("--platform", options->platform,
                  "Any SimGrid platform instead; ranks take its hosts in\n"
                  "turn, or as --hosts says")
      ->type_name("FILE.xml");
  app->add_option("--hosts", options->hosts,
                  "With --platform: which of its hosts ranks take, as for\n"
                  "`ranksight map`")
      ->type_name("HOSTFILE|slurm");
}

void AddCostOptions(CLI::App* app, SimulateOptions* options) {
  app->add_option("--engine", options->engine,
                  "auto: SimGrid where it can hold the ranks, within --limit,\n"
                  "else links; simgrid; links: our own walk of all ranks over\n"
                  "the links of a torus or network")
      ->type_name("NAME")
      ->check(CLI::IsMember({"auto", "simgrid", "links"}))
      ->capture_default_str();
  app->add_option(
         "--limit", options->limit_seconds,
         "Take no longer than so, in processor time (default: 0, to\n"
         "the end). Where SimGrid would take more, or once a tenth of\n"
         "it went into events at their pace, ranks are walked over\n"
         "the links instead, or with --engine simgrid it exits 1,\n"
         "without a result. With --vary for each simulation")
      ->type_name("SECONDS")
      ->check(NotNegative());
  app->add_flag("--estimate", options->estimate,
                "Simulate for about two seconds behind the start and say how\n"
                "much processor time and memory all of it would take")
      ->excludes(app->get_option("--record"));
}

}  // namespace

void RegisterSimulate(Commands& commands) {
  auto options = std::make_shared<SimulateOptions>();
  CLI::App* app = commands.Add(
      "simulate", "Replay a trace in simulated time (SimGrid)", [options] {
        return options->vary.words.empty() ? Simulate(*options)
                                           : SimulateCases(options.get());
      });
  app->add_option("FILE", options->file, "The trace, recorded or extrapolated")
      ->required();
  AddPlaces(app, options.get());
  AddWorkOptions(app, WhatIfUser::kSimulate, &options->work);
  app->add_option("--seed", options->seed, "Seed of the draws")
      ->type_name("NUMBER")
      ->check(NotNegative())
      ->capture_default_str();
  app->add_flag("--partial", options->partial,
                "Replay a partial trace; it may not come to an end");
  app->add_option("--record", options->record,
                  "Record the simulated replay to this trace file")
      ->type_name("FILE");
  app->add_option("--cfg", options->config,
                  "Further SimGrid configuration, e.g. smpi/alltoall:pair")
      ->type_name("KEY:VALUE");
  AddCostOptions(app, options.get());
  app->add_option("--smpirun", options->smpirun, "SimGrid's launcher")
      ->type_name("PROGRAM")
      ->capture_default_str();
  AddVaryOption(
      app,
      {"compute-scale", "site-scale", "bytes-scale", "exchange", "topology",
       "torus", "network", "routing", "map", "order", "ranks-per-node", "cfg"},
      &options->vary);
  app->get_option("--estimate")->excludes(app->get_option("--vary"));
  app->add_flag("--json", options->json, "One JSON document on stdout");
  app->footer(
      "Runs the replay engine under SimGrid's SMPI, all ranks in one\n"
      "process. Times are simulated: the same input gives the same result.\n\n"
      "Example: ranksight simulate predicted.512.trace --torus bgq:512");
}

}  // namespace ranksight::cli
