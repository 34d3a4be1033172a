// ranksight replay: runs a trace as real MPI.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "cli/base/files.h"
#include "cli/base/lists.h"
#include "cli/base/locate.h"
#include "cli/base/machine_options.h"
#include "cli/base/number_checks.h"
#include "cli/base/print.h"
#include "cli/base/private_folder.h"
#include "cli/base/recording.h"
#include "cli/base/run_with_progress.h"
#include "cli/base/work_options.h"
#include "cli/commands/register.h"
#include "cli/look/deadlock.h"
#include "online_model/api/extrapolate.h"
#include "reduction/api/codec.h"

namespace ranksight::cli {
namespace {

using reduction::Result;
using reduction::Status;

struct ReplayOptions {
  std::string file, launcher, record, scratch;
  PlaceOptions places;
  std::vector<std::string> plugins;
  WorkOptions work;
  bool sleep = false, no_pin = false, partial = false, json = false,
       check = false;
  int64_t ranks = 0;
  uint64_t seed = 0, stall_s = 0;
  bool seed_given = false, stall_given = false;
};

// The launcher's words. It places ranks; only it can follow a map file.
Result<std::vector<std::string>> LauncherWords(const ReplayOptions& options,
                                               int64_t ranks) {
  auto words = ExpandLauncher(LauncherOf(options.launcher), ranks);
  if (!words.ok()) return words;
  const std::string& map = options.places.map;
  const bool asked = ReplaceInWords("{map}", AbsolutePath(map), &*words) > 0;
  // With --torus the engine itself looks at it.
  if (map.empty() ? asked : !asked && options.places.torus.empty()) {
    return Status::Usage(
        "--map and {map} in --launcher belong together, e.g. --launcher "
        "'runjob --np {ranks} --mapping {map} :'");
  }
  if (asked && FileBytes(map) == 0) {
    return Status::Io(map + ": no such map file, or it is empty");
  }
  return words;
}

Result<std::vector<std::string>> CommandLine(const ReplayOptions& options,
                                             int64_t ranks) {
  auto words = LauncherWords(options, ranks);
  if (!words.ok()) return words;
  const auto tool = FindMpiTool("ranksight-replay", *words);
  if (!tool.ok()) return tool.status();
  words->push_back(*tool);
  // Launchers may start ranks in another folder.
  words->push_back(AbsolutePath(options.file));
  AppendWorkWords(options.work, &*words);
  if (!options.places.torus.empty()) {
    AppendPlaceWords(options.places, &*words);
  }
  if (options.sleep) words->push_back("--sleep");
  if (options.no_pin) words->push_back("--no-pin");
  if (options.partial) words->push_back("--partial");
  if (options.json) words->push_back("--json");
  const auto add_all = [&](const char* name,
                           const std::vector<std::string>& values) {
    for (const std::string& value : values) {
      words->push_back(name);
      words->push_back(value);
    }
  };
  if (!options.scratch.empty()) add_all("--scratch", {options.scratch});
  add_all("--site-scale", options.work.what_if.site_scales);
  if (options.stall_given)
    add_all("--stall", {std::to_string(options.stall_s)});
  if (options.seed_given) {
    words->push_back("--seed");
    words->push_back(std::to_string(options.seed));
  }
  return words;
}

Status CheckOptions(const ReplayOptions& options) {
  if (!options.work.tune.empty() && options.places.torus.empty()) {
    return Status::Usage("--tune needs --torus");
  }
  // As the engine does, which --check does not start.
  return CheckWhatIf(options.work.what_if);
}

// The file of the trace that laws give at --ranks, in a folder of its own.
Status MakeFromLaws(ReplayOptions* options, reduction::Trace* trace,
                    std::optional<PrivateFolder>* folder) {
  if (!online_model::IsSymbolic(*trace)) {
    return Status::Usage(options->file +
                         " carries no laws: --ranks needs a trace of "
                         "ranksight extrapolate --symbolic");
  }
  online_model::ExtrapolationRequest request;
  request.ranks = options->ranks;
  const Status loaded =
      online_model::LoadOwnLaws(options->plugins, &request.own_laws);
  if (!loaded.ok()) return loaded;
  auto made = online_model::FromLaws(*trace, request);
  if (!made.ok()) return made.status();
  auto made_folder = PrivateFolder::Make();
  if (!made_folder.ok()) return made_folder.status();
  *trace = std::move(made->trace);
  options->file = made_folder->path() + "/replayed.trace";
  folder->emplace(std::move(*made_folder));
  return WriteTraceFile(*trace, options->file);
}

Result<Deadlock> Check(const ReplayOptions& options,
                       const reduction::Trace& trace) {
  return LookForDeadlock(trace, options.work);
}

int PrintCheck(const ReplayOptions& options, const reduction::Trace& trace) {
  const auto launcher = LauncherWords(options, trace.meta.ranks);
  if (!launcher.ok()) return Fail(launcher.status());
  const auto factors = SiteFactors(options.work.what_if, trace.sites);
  if (!factors.ok()) return Fail(factors.status());
  const auto found = Check(options, trace);
  if (!found.ok()) return Fail(found.status());
  SiteNames names(trace.sites, PlacesNear({&options.file, 1}));
  Print(options.json ? DeadlockJson(*found, trace.meta.ranks, &names)
                     : DeadlockText(*found, trace.meta.ranks, &names));
  return found->kind == Deadlock::Kind::kNone &&
                 found->progress.mismatch.empty()
             ? 0
             : 1;
}

int Replay(ReplayOptions options) {
  if (Status s = CheckOptions(options); !s.ok()) return Fail(s);
  auto trace = ReadExactTrace(options.file);
  if (!trace.ok()) return Fail(trace.status());
  std::optional<PrivateFolder> folder;
  if (options.ranks > 0) {
    const Status made = MakeFromLaws(&options, &*trace, &folder);
    if (!made.ok()) return Fail(made);
  }
  if (options.check) return PrintCheck(options, *trace);
  // The record of a replay is the trace replayed.
  if (!options.record.empty()) KeepWildcards(&options.work);
  const auto words = CommandLine(options, trace->meta.ranks);
  if (!words.ok()) return Fail(words.status());
  ProgramRun run{*words, {}, ""};
  RecordingOptions recording;
  if (!options.record.empty()) {
    recording.output = options.record;
    // It is to be compared call by call, and slows nobody's program.
    recording.time_share = "off";
    if (Status s = CheckWritable(options.record); !s.ok()) return Fail(s);
    auto environment = RecordingEnvironment(recording);
    if (!environment.ok()) return Fail(environment.status());
    run.environment = std::move(*environment);
  }
  const auto status = RunWithProgress(
      "replaying on " + std::to_string(trace->meta.ranks) + " ranks", run);
  if (!status.ok()) return Fail(status.status());
  if (!options.record.empty() && *status == 0) {
    NoteNotStored(SideCarOf(recording), options.record);
  }
  if (*status == 1 && (trace->meta.complete || options.partial)) {
    ExplainStall(*trace, options.file, options.work);
  }
  return *status;
}

void AddRunning(CLI::App* app, ReplayOptions* options) {
  app->add_option("--map", options->places.map,
                  "Map file for the launcher, which takes it where its\n"
                  "template says {map}, and for --tune")
      ->type_name("MAPFILE");
  app->add_option("--scratch", options->scratch,
                  "Folder for the files that stand in for the program's, seen\n"
                  "by all ranks (default: the current one)")
      ->type_name("DIR");
  app->add_flag("--check", options->check,
                "Run nothing; say whether calls can wait for one another for\n"
                "ever (exit code 1), and which: taking it that sends wait to\n"
                "be received and collectives for all");
  app->add_flag("--partial", options->partial,
                "Replay a partial trace, or one whose program left calls by a\n"
                "jump; it may not come to an end");
  app->add_option_function<uint64_t>(
         "--stall",
         [options](uint64_t value) {
           options->stall_s = value;
           options->stall_given = true;
         },
         "Give up (exit code 1) when a rank does not get past an\n"
         "event in so many seconds, and say where each rank\n"
         "stands; 0 waits for ever (default: by the trace's time)")
      ->type_name("SECONDS")
      ->check(NotNegative());
}

void AddPlaces(CLI::App* app, PlaceOptions* places) {
  auto* torus =
      app->add_option(
             "--torus", places->torus,
             "With --tune: the machine, as for `ranksight map`; mpi: as\n"
             "the MPI library says (MPIX_Rank2torus)")
          ->type_name("SHAPE")
          ->needs(app->get_option("--tune"));
  app->add_option(
         "--order", places->order,
         "With --tune: order of the mapping where there is no --map\n"
         "(default: the dimensions in their order, then T: XYZT for three,\n"
         "ABCDET for five, XYZABCT for six)")
      ->type_name("LETTERS")
      ->needs(torus)
      ->excludes(app->get_option("--map"));
  app->add_option("--ranks-per-node", places->ranks_per_node,
                  "With --tune: ranks on each node (default: as few as will\n"
                  "do)")
      ->type_name("K")
      ->needs(torus)
      ->check(AboveZero());
}

}  // namespace

void RegisterReplay(Commands& commands) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* app = commands.Add("replay", "Run a trace as real, timed MPI",
                               [options] { return Replay(*options); });
  app->add_option("FILE", options->file, "The trace, recorded or extrapolated")
      ->required();
  auto* ranks =
      app->add_option("--ranks", options->ranks,
                      "Replay at N ranks by the laws that the trace carries\n"
                      "(ranksight extrapolate --symbolic)")
          ->type_name("N")
          ->check(CLI::Range(int64_t{1}, int64_t{1} << 40));
  app->add_option("--plugin", options->plugins,
                  "With --ranks: shared library with laws that the trace\n"
                  "needs (ranksight extrapolate --plugin)")
      ->type_name("LIB")
      ->needs(ranks)
      ->allow_extra_args(false);
  app->add_option("--launcher", options->launcher,
                  "How to start MPI programs; {ranks} is replaced by the\n"
                  "trace's rank count (default: " +
                      DefaultLauncher() + ")")
      ->type_name("TEMPLATE");
  AddWorkOptions(app, WhatIfUser::kReplay, &options->work);
  app->add_flag("--sleep", options->sleep,
                "Sleep through computation instead of keeping the core busy");
  app->add_flag("--no-pin", options->no_pin,
                "Bind no rank to a core; else each has one of its own, where\n"
                "a host has enough and the launcher has bound none");
  app->add_option_function<uint64_t>(
         "--seed",
         [options](uint64_t value) {
           options->seed = value;
           options->seed_given = true;
         },
         "Seed of the draws of computation times; the same\n"
         "seed gives the same times (default: the tool's)")
      ->type_name("NUMBER")
      ->check(NotNegative());
  AddRunning(app, options.get());
  AddPlaces(app, &options->places);
  app->add_option("--record", options->record,
                  "Record the replay to this trace file")
      ->type_name("FILE");
  app->add_flag("--json", options->json, "One JSON document on stdout");
  app->footer(
      "Starts ranksight-replay under the launcher, once per rank of the\n"
      "trace. The launcher's exit status is passed through.\n\n"
      "Example: ranksight replay predicted.100.trace --compute-scale 0.5");
}

}  // namespace ranksight::cli
