// ranksight record: runs an MPI program with the runtime preloaded.
#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>

#include "cli/base/files.h"
#include "cli/base/print.h"
#include "cli/base/recording.h"
#include "cli/commands/register.h"
#include "online_model/api/keys.h"

namespace ranksight::cli {
namespace {

using reduction::Status;

// The traces in the current folder and when they were written.
using TracesHere = std::map<std::string, std::filesystem::file_time_type>;

TracesHere FindTracesHere() {
  TracesHere found;
  std::error_code error;
  std::filesystem::directory_iterator at(".", error);
  for (; at != std::filesystem::directory_iterator(); at.increment(error)) {
    if (at->path().extension() != ".trace") continue;
    std::error_code gone;
    const auto written = at->last_write_time(gone);
    if (!gone) found.emplace(at->path().filename().string(), written);
  }
  return found;
}

// Whether the trace is to be found here when the run has ended.
bool WritesHere(const RecordingOptions& options) {
  return options.output.empty() && options.to.empty() &&
         std::getenv("RANKSIGHT_OUTPUT") == nullptr &&
         std::getenv("RANKSIGHT_DISABLE") == nullptr;
}

// Nothing where a trace was written, or is not looked for.
Status LookForTrace(const RecordingOptions& options, const TracesHere& before) {
  if (options.output.empty()) {
    if (!WritesHere(options) || FindTracesHere() != before) {
      return Status::Ok();
    }
  } else if (FileBytes(options.output) > 0) {
    return Status::Ok();
  }
  const std::string place =
      options.output.empty() ? "the current folder" : options.output;
  const Status room =
      CheckWritable(options.output.empty() ? "." : options.output);
  return Status::No(room.ok() ? "no trace was written to " + place +
                                    ": did the program call MPI_Init?"
                              : "no trace was written: " + room.message());
}

int Record(const RecordingOptions& options,
           const std::vector<std::string>& launcher) {
  if (launcher.empty()) {
    return Fail(Status::Usage(
        "record needs a program: ranksight record -- mpiexec -n 4 ./app"));
  }
  const std::string place = options.output.empty() ? "." : options.output;
  if (Status s = CheckWritable(place); !s.ok()) return Fail(s);
  auto environment = RecordingEnvironment(options);
  if (!environment.ok()) return Fail(environment.status());
  const TracesHere before = FindTracesHere();
  const auto status = RunProgram({launcher, std::move(*environment), ""});
  if (!status.ok()) return Fail(status.status());
  if (*status == 0) {
    const Status written = LookForTrace(options, before);
    if (!written.ok()) Note(written.message());
  }
  return *status;
}

}  // namespace

void RegisterRecord(Commands& commands) {
  auto options = std::make_shared<RecordingOptions>();
  CLI::App* app = commands.Add(
      "record", "Run an MPI program and write its trace", [options, &commands] {
        return Record(*options, commands.program_line());
      });
  app->add_option("-o,--output", options->output,
                  "Trace file (default: <program>.<ranks>.trace)")
      ->type_name("FILE");
  app->add_option("--to", options->to,
                  "Side-car to stream to as well, e.g. tcp://127.0.0.1:5570\n"
                  "(default: none; see ranksight serve)")
      ->type_name("ENDPOINT");
  auto* server_key =
      app->add_option("--server-key", options->server_key,
                      "Public key of a side-car that asks for keys")
          ->type_name("KEY");
  options->key = online_model::DefaultKeysDirectory() + "/secret.key";
  app->add_option("--key", options->key,
                  "Our own pair of keys (`ranksight keys new`) to show there")
      ->type_name("FILE")
      ->capture_default_str()
      ->needs(server_key);
  app->add_option("--epoch", options->epoch_seconds,
                  "Seconds between the cuts at which the trace so far is\n"
                  "written, and sent where --to says, so that forecasts use\n"
                  "it before the run ends (default: only at the end)")
      ->type_name("SECONDS")
      ->check(CLI::PositiveNumber);
  app->add_flag("--distributions", options->distributions,
                "Keep amounts that follow no rule (counts of IS's exchange)\n"
                "only as distributions, with exact totals; the trace is\n"
                "marked lossy (default: everything is kept)");
  app->add_flag("--kokkos", options->kokkos,
                "Regions, kernels, deep copies and fences of Kokkos are\n"
                "regions of the trace (KOKKOS_PROFILE_LIBRARY and\n"
                "KOKKOS_TOOLS_LIBS name our connector)");
  app->add_option("--param", options->params,
                  "A parameter of the run to keep with the trace; may be\n"
                  "given more than once")
      ->type_name("NAME=VALUE")
      ->take_all()
      ->allow_extra_args(false);
  app->footer(
      "Usage: ranksight record [OPTIONS] -- LAUNCHER...\n\n"
      "Everything behind -- is run as it stands, with the runtime in\n"
      "LD_PRELOAD (before whatever is there already). Its exit status is\n"
      "passed through, 128 + the signal when a signal ended it.\n\n"
      "Example: ranksight record -o a.trace -- mpiexec -n 16 ./app --steps 10");
}

}  // namespace ranksight::cli
