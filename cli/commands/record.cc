// ranksight record: runs an MPI program with the runtime preloaded.
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/base/files.h"
#include "cli/base/number_checks.h"
#include "cli/base/print.h"
#include "cli/base/progress.h"
#include "cli/base/recording.h"
#include "cli/commands/register.h"
#include "cli/symbols/site_names.h"
#include "online_model/api/keys.h"
#include "reduction/api/codec.h"
#include "reduction/api/losses.h"
#include "reduction/api/unrecorded.h"
#include "reduction/api/wire.h"

namespace ranksight::cli {
namespace {

using reduction::Result;
using reduction::Status;

// Names of traces, and of ranks' parts of them, and when they were written.
using Written = std::map<std::string, std::filesystem::file_time_type>;

bool IsPart(const std::string& name) { return name.ends_with(".partial"); }

// Whether a later launch of the same command has given its trace this name,
// where the first has the other.
bool IsOfLaterLaunch(const std::string& name, const std::string& trace) {
  const std::filesystem::path path(trace);
  const std::string stem = path.stem().string() + ".";
  const std::string extension = path.extension().string();
  if (!name.starts_with(stem) || !name.ends_with(extension) ||
      name.size() <= stem.size() + extension.size()) {
    return false;
  }
  const std::string number =
      name.substr(stem.size(), name.size() - stem.size() - extension.size());
  return std::ranges::all_of(number,
                             [](char c) { return c >= '0' && c <= '9'; });
}

// Those of this output, or all in the current folder where the runtime names
// the trace.
Written FindWritten(const RecordingOptions& options) {
  const std::filesystem::path output = options.output;
  const std::string trace = output.filename().string();
  const auto folder = output.has_parent_path() ? output.parent_path()
                                               : std::filesystem::path(".");
  Written found;
  std::error_code error;
  std::filesystem::directory_iterator at(folder, error);
  for (; at != std::filesystem::directory_iterator(); at.increment(error)) {
    const std::string name = at->path().filename().string();
    const bool ours =
        trace.empty() ? IsPart(name) || at->path().extension() == ".trace"
                      : name == trace || IsOfLaterLaunch(name, trace) ||
                            (IsPart(name) && name.starts_with(trace + ".rank"));
    std::error_code gone;
    const auto written = at->last_write_time(gone);
    if (ours && !gone) found.emplace(name, written);
  }
  return found;
}

// Whether the trace is to be found here when the run has ended.
bool WritesHere(const RecordingOptions& options) {
  if (!options.output.empty()) {
    std::error_code error;
    return !std::filesystem::exists(options.output, error) ||
           std::filesystem::is_regular_file(options.output, error);
  }
  return std::getenv("RANKSIGHT_DISABLE") == nullptr;
}

// What launches that crashed have left of their claims to names.
void RemoveClaims(const std::string& folder, int64_t began_ns) {
  const std::string ending = "." + std::to_string(began_ns) + ".claim";
  std::vector<std::filesystem::path> left;
  std::error_code error;
  std::filesystem::directory_iterator at(folder, error);
  for (; at != std::filesystem::directory_iterator(); at.increment(error)) {
    if (at->path().filename().string().ends_with(ending)) {
      left.push_back(at->path());
    }
  }
  for (const auto& claim : left) std::filesystem::remove(claim, error);
}

// What a process that is not recorded said of it, "" where none did. Takes the
// file away.
std::string TakeReason(const std::string& folder, int64_t began_ns) {
  const std::string path = folder + "/" + reduction::kUnrecordedPrefix +
                           std::to_string(began_ns) +
                           reduction::kUnrecordedSuffix;
  std::string reason;
  std::getline(std::ifstream(path), reason);
  std::error_code error;
  std::filesystem::remove(path, error);
  return reason;
}

Status CheckRoom(const RecordingOptions& options) {
  return options.output.empty() ? CheckFolderWritable(".")
                                : CheckWritable(options.output);
}

// The folder of the output, "" or with a slash at its end.
std::string FolderOf(const RecordingOptions& options) {
  return options.output.substr(0, options.output.rfind('/') + 1);
}

// What may have kept a program that ended well from leaving anything. A
// launcher that sets LD_PRELOAD for its ranks (-env, -x, env) takes our library
// out.
std::string WhyNothing(const std::vector<std::string>& launcher) {
  for (const std::string& word : launcher) {
    if (word == "LD_PRELOAD" || word.find("LD_PRELOAD=") != std::string::npos) {
      return "the command sets LD_PRELOAD for its ranks, which takes "
             "Ranksight's library out; set it in front of `ranksight record` "
             "instead, which keeps both";
    }
  }
  return "did the program call MPI_Init? What it opens by dlopen (ctypes) is "
         "not seen (docs/limits.md)";
}

// Nothing where a trace was written, or is not looked for. traces: those that
// were.
Status LookForTrace(const RecordingOptions& options,
                    const std::vector<std::string>& launcher,
                    const Written& before, const std::string& reason,
                    int exit_status, std::vector<std::string>* traces) {
  if (!WritesHere(options)) return Status::Ok();
  int parts = 0;
  std::string first;
  for (const auto& [name, written] : FindWritten(options)) {
    const auto old = before.find(name);
    if (old != before.end() && old->second == written) continue;
    if (!IsPart(name)) {
      traces->push_back(name);
    } else if (parts++ == 0) {
      first = name;
    }
  }
  if (traces->size() > 1) {
    Note(fmt::format("{} launches wrote a trace each: {}", traces->size(),
                     fmt::join(*traces, ", ")));
  }
  for (std::string& name : *traces) {
    name = FolderOf(options) + name;
    NoteNotStored(SideCarOf(options), name);
  }
  if (!traces->empty()) return Status::Ok();
  const Status room = CheckRoom(options);
  if (!room.ok()) {
    return Status::No("no trace was written: " + room.message());
  }
  std::string what =
      "no trace was written to " +
      (options.output.empty() ? "the current folder" : options.output);
  if (parts > 0) {
    const auto part = reduction::ReadTraceHead(FolderOf(options) + first);
    const auto why =
        part.ok() ? reduction::WhyNotWritten(part->meta) : std::nullopt;
    if (why) return Status::No(what + ": " + *why);
    what += parts == 1 ? ", only a part of it (" : ", only parts of it (";
    what += first + (parts == 1 ? ")" : ", ...)");
  }
  if (!reason.empty()) return Status::No(what + ": " + reason);
  if (exit_status == 0) {
    if (parts == 0) what += ": " + WhyNothing(launcher);
  } else {
    what += ": the program ended with " + std::to_string(exit_status);
    if (options.epoch_seconds == 0) {
      what += "; with --epoch SECONDS there is a trace until then";
    }
  }
  return Status::No(what);
}

int Record(RecordingOptions options, const std::vector<std::string>& launcher) {
  if (const char* output = std::getenv("RANKSIGHT_OUTPUT");
      output != nullptr && options.output.empty()) {
    options.output = output;
  }
  if (launcher.empty()) {
    return Fail(Status::Usage(
        "record needs a program: ranksight record -- mpiexec -n 4 ./app"));
  }
  if (!options.server_key.empty() && SideCarOf(options).empty()) {
    return Fail(Status::Usage("--server-key needs --to"));
  }
  if (Status s = CheckRoom(options); !s.ok()) return Fail(s);
  auto environment = RecordingEnvironment(options);
  if (!environment.ok()) return Fail(environment.status());
  const Written before = FindWritten(options);
  const std::string of_output = FolderOf(options);
  const std::string folder = of_output.empty() ? "." : of_output;
  Result<int64_t> began = int64_t{0};
  if (WritesHere(options)) {
    began = TimeOfFolder(folder);
    if (!began.ok()) return Fail(began.status());
    (*environment)["RANKSIGHT_BEGAN"] = std::to_string(*began);
  }
  const auto status = RunProgram({launcher, std::move(*environment), ""});
  std::string reason;
  if (*began != 0) {
    RemoveClaims(folder, *began);
    reason = TakeReason(folder, *began);
  }
  if (!status.ok()) return Fail(status.status());
  std::vector<std::string> traces;
  const Status written =
      LookForTrace(options, launcher, before, reason, *status, &traces);
  if (!written.ok()) Note(written.message());
  for (const std::string& trace : traces) {
    const Status kept =
        WithProgress("finding names of call sites for " + trace,
                     [&] { return KeepNames(trace, ProgramsIn(launcher)); });
    if (!kept.ok())
      Note("names of call sites were not kept: " + kept.message());
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
      ->type_name("ENDPOINT")
      ->check([](const std::string& text) {
        return reduction::CheckEndpoint(text).message();
      });
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
  app->add_flag("--cpu-time", options->own_time,
                "Computation is the processor time of the thread, as it is\n"
                "anyway where ranks outnumber the cores that they may use;\n"
                "forecasts then take a network by its name\n"
                "(RANKSIGHT_CLOCK=tsc: never)");
  app->add_option("--epoch", options->epoch_seconds,
                  "Seconds between the cuts at which the trace so far is\n"
                  "written, and sent where --to says, so that forecasts use\n"
                  "it before the run ends (default: only at the end)")
      ->type_name("SECONDS")
      ->check(AboveZero());
  app->add_option(
         "--patience", options->patience_seconds,
         "Seconds to wait at the end for the side-car's first answer,\n"
         "and five times as long for each acknowledgement (default: 1)")
      ->type_name("SECONDS")
      ->check(AboveZero());
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
