// ranksight replay: runs a trace as real MPI.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/base/lists.h"
#include "cli/base/locate.h"
#include "cli/base/print.h"
#include "cli/base/recording.h"
#include "cli/commands/register.h"
#include "reduction/api/codec.h"

namespace ranksight::cli {
namespace {

using reduction::Result;

struct ReplayOptions {
  std::string file, launcher, record;
  double compute_scale = 1, bytes_scale = 1;
  bool no_compute = false, sleep = false, json = false;
  uint64_t seed = 0;
  bool seed_given = false;
};

Result<std::vector<std::string>> CommandLine(const ReplayOptions& options,
                                             int64_t ranks) {
  auto words = ExpandLauncher(
      options.launcher.empty() ? DefaultLauncher() : options.launcher, ranks);
  if (!words.ok()) return words;
  const auto tool = FindTool("ranksight-replay");
  if (!tool.ok()) return tool.status();
  words->push_back(*tool);
  words->push_back(options.file);
  const auto add_scale = [&](const char* name, double scale) {
    if (scale == 1) return;
    words->push_back(name);
    words->push_back(fmt::format("{}", scale));
  };
  add_scale("--compute-scale", options.compute_scale);
  add_scale("--bytes-scale", options.bytes_scale);
  if (options.no_compute) words->push_back("--no-compute");
  if (options.sleep) words->push_back("--sleep");
  if (options.json) words->push_back("--json");
  if (options.seed_given) {
    words->push_back("--seed");
    words->push_back(std::to_string(options.seed));
  }
  return words;
}

int Replay(const ReplayOptions& options) {
  const auto trace = reduction::ReadTraceFile(options.file);
  if (!trace.ok()) return Fail(trace.status());
  const auto words = CommandLine(options, trace->meta.ranks);
  if (!words.ok()) return Fail(words.status());
  ProgramRun run{*words, {}, ""};
  if (!options.record.empty()) {
    RecordingOptions recording;
    recording.output = options.record;
    auto environment = RecordingEnvironment(recording);
    if (!environment.ok()) return Fail(environment.status());
    run.environment = std::move(*environment);
  }
  const auto status = RunProgram(run);
  return status.ok() ? *status : Fail(status.status());
}

}  // namespace

void RegisterReplay(Commands& commands) {
  auto options = std::make_shared<ReplayOptions>();
  auto seed = std::make_shared<CLI::Option*>(nullptr);
  CLI::App* app =
      commands.Add("replay", "Run a trace as real, timed MPI", [options, seed] {
        options->seed_given = (*seed)->count() > 0;
        return Replay(*options);
      });
  app->add_option("FILE", options->file, "The trace, recorded or extrapolated")
      ->required();
  app->add_option("--launcher", options->launcher,
                  "How to start MPI programs; {ranks} is replaced by the\n"
                  "trace's rank count (default: " +
                      DefaultLauncher() + ")")
      ->type_name("TEMPLATE");
  app->add_option("--compute-scale", options->compute_scale,
                  "Multiply computation times by this factor")
      ->type_name("FACTOR")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app->add_option("--bytes-scale", options->bytes_scale,
                  "Multiply element counts of messages by this factor")
      ->type_name("FACTOR")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app->add_flag("--no-compute", options->no_compute,
                "Leave computation out: communication alone");
  app->add_flag("--sleep", options->sleep,
                "Sleep through computation instead of keeping the core busy");
  *seed = app->add_option("--seed", options->seed,
                          "Seed of the draws of computation times; the same\n"
                          "seed gives the same times (default: the tool's)")
              ->type_name("NUMBER");
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
