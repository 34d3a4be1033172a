#include "cli/commands/simulate_run.h"

#include <sys/resource.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include "cli/base/files.h"
#include "cli/base/host_options.h"
#include "cli/base/json.h"
#include "cli/base/locate.h"
#include "cli/base/print.h"
#include "cli/base/private_folder.h"
#include "cli/base/process.h"
#include "cli/base/progress.h"
#include "cli/commands/simulate_links.h"
#include "cli/look/deadlock.h"
#include "cli/look/simulation_cost.h"
#include "cli/look/simulation_needs.h"
#include "reduction/api/codec.h"
#include "replay_engine/api/meter.h"
#include "replay_engine/api/replay.h"

namespace ranksight::cli {
namespace {

using reduction::Result;
using reduction::Status;
using replay_engine::MeterStop;
using replay_engine::ReplayMeter;

// The statuses that the tool ends with; SimGrid has others.
constexpr int kLastStatus = 4, kToolDefect = 70;

// One host of the platform a line, in rank order.
std::string HostFileOf(const bgq_support::Mapping& mapping) {
  std::string text;
  for (const bgq_support::Place& place : mapping.places()) {
    text += "n" + std::to_string(place.node) + "\n";
  }
  return text;
}

// Writes hosts into the folder.
Status DescribeNetwork(const SimulateOptions& options, int64_t ranks,
                       const std::string& folder) {
  const auto placed = PlaceRanks(options.places, ranks);
  if (!placed.ok()) return placed.status();
  return WriteTextFile(HostFileOf(placed->mapping), folder + "/hosts");
}

// Writes hosts into the folder for --hosts.
Status DescribeHosts(const SimulateOptions& options, int64_t ranks,
                     const std::string& folder) {
  HostOptions hosts;
  hosts.hosts = options.hosts;
  hosts.ranks_per_node = options.places.ranks_per_node;
  const auto placed = PlaceRanks(hosts, ranks);
  if (!placed.ok()) return placed.status();
  return WriteTextFile(
      WriteHosts(placed->list, placed->mapping, bgq_support::HostForm::kList),
      folder + "/hosts");
}

Status DescribePlaces(const SimulateOptions& options, int64_t ranks,
                      const std::string& folder) {
  if (options.places.given()) return DescribeNetwork(options, ranks, folder);
  return options.hosts.empty() ? Status::Ok()
                               : DescribeHosts(options, ranks, folder);
}

void AddReplayWords(const SimulateOptions& options,
                    std::vector<std::string>* words) {
  words->push_back(options.file);
  words->insert(words->end(), {"--seed", std::to_string(options.seed)});
  // The record of a replay is the trace replayed.
  WorkOptions work = options.work;
  if (!options.record.empty()) KeepWildcards(&work);
  AppendWorkWords(work, words);
  if (!work.tune.empty()) AppendPlaceWords(options.places, words);
  if (options.partial) words->push_back("--partial");
  if (options.json) words->push_back("--json");
}

// smpirun, a shell script, takes what it is given apart once more.
bool Splits(const std::string& path) {
  return std::ranges::any_of(path, [](unsigned char c) {
    return c < 0x80 && std::isalnum(c) == 0 &&
           std::string_view("/._-+,:=@%").find(static_cast<char>(c)) ==
               std::string_view::npos;
  });
}

// The path, or that of a link to it in the folder where smpirun cannot take it.
Result<std::string> ForSmpirun(const std::string& path,
                               const std::string& folder, const char* name) {
  if (!Splits(path)) return path;
  std::string link = folder + "/" + name;
  std::error_code error;
  std::filesystem::create_symlink(path, link, error);
  if (error) return Status::Io(link + ": " + error.message());
  return link;
}

// Puts into `options` what smpirun can take of the files that they name.
Status NameForSmpirun(const std::string& folder, SimulateOptions* options) {
  if (Splits(folder)) {
    return Status::Io("smpirun cannot take TMPDIR's name: " + folder);
  }
  const auto name = [&](const char* link, std::string* path) {
    if (path->empty()) return Status::Ok();
    const auto named = ForSmpirun(AbsolutePath(*path), folder, link);
    if (named.ok()) *path = *named;
    return named.status();
  };
  Status status = name("trace", &options->file);
  if (status.ok()) status = name("platform.xml", &options->platform);
  if (status.ok()) status = name("map", &options->places.map);
  return status;
}

// Where the tool says that all ranks have come to their end.
std::string EndMark(const std::string& folder) { return folder + "/ended"; }

// What is asked of the meter: an estimate needs as much of the events.
constexpr double kEnoughSeconds = 2;

bool IsMetered(const SimulateOptions& options) {
  return options.estimate || options.limit_seconds > 0;
}

std::string MeterFile(const std::string& folder) { return folder + "/meter"; }

Status MakeMeter(const SimulateOptions& options, const reduction::Trace& trace,
                 const std::string& folder) {
  ReplayMeter meter;
  meter.all_events = static_cast<double>(reduction::CountEvents(trace));
  meter.limit_s = options.limit_seconds;
  meter.enough_s = options.estimate ? kEnoughSeconds : 0;
  return WriteTextFile(
      std::string(reinterpret_cast<const char*>(&meter), sizeof meter),
      MeterFile(folder));
}

ReplayMeter ReadMeter(const std::string& folder) {
  ReplayMeter meter;
  const auto bytes = reduction::ReadWholeFile(MeterFile(folder));
  if (bytes.ok() && bytes->size() == sizeof meter) {
    std::memcpy(&meter, bytes->data(), sizeof meter);
  }
  return meter;
}

// What the programs that have ended took, with all that they started.
struct Taken {
  double seconds = 0, memory_bytes = 0;
};

Taken TakenByPrograms() {
  constexpr double kBytesPerUnit = 1024;
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) +
           static_cast<double>(time.tv_usec) / 1e6;
  };
  return {seconds(usage.ru_utime) + seconds(usage.ru_stime),
          kBytesPerUnit * static_cast<double>(usage.ru_maxrss)};
}

// For the start, before the tool looks at its meter: behind what that has for
// whole seconds.
void LimitStart(const SimulateOptions& options, const std::string& folder,
                ProgramRun* run) {
  run->environment[replay_engine::kReplayMeter] = MeterFile(folder);
  // Copies of the tool, which is killed.
  run->environment["TMPDIR"] = folder;
  if (options.limit_seconds > 0) {
    run->processor_seconds =
        static_cast<int64_t>(std::min(std::ceil(options.limit_seconds), 1e9)) +
        1;
  }
}

Status WithoutSimGrid(const Status& missing) {
  return Status::Io(missing.message() +
                    ": built without SimGrid; `scripts/quickstart --all` "
                    "builds with it");
}

// A SimGrid platform that is a network by its name or a file.
Result<std::string> FindPlatform() {
  const auto library = FindTool("ranksight-platform-smpi.so");
  if (library.ok()) return library;
  return Status::Io(library.status().message() +
                    ": built without a SimGrid that takes routes of ours, as "
                    "3.32 does; --platform and --engine links need none");
}

// What smpirun takes for the platform, and what that asks of the environment.
Result<std::string> PlatformFor(const SimulateOptions& options, int64_t ranks,
                                const std::string& folder, ProgramRun* run) {
  if (!options.places.given()) return options.platform;
  const auto library = FindPlatform();
  if (!library.ok()) return library.status();
  const auto words = WordsOf(options.places, ranks);
  if (!words.ok()) return words.status();
  auto& environment = run->environment;
  environment[replay_engine::kNetworkName] = words->name;
  environment[replay_engine::kNetworkFile] =
      words->file.empty() ? "" : AbsolutePath(words->file);
  environment[replay_engine::kNetworkUplinks] = words->uplinks;
  environment[replay_engine::kNetworkRouting] = options.places.routing;
  const auto network = ReadNetwork(options.places, ranks);
  if (!network.ok()) return network.status();
  const auto speeds = SpeedWords(options.places, *network);
  if (!speeds.ok()) return speeds.status();
  for (const std::string& speed : *speeds) {
    environment[replay_engine::kNetworkSpeeds] += speed + '\n';
  }
  return ForSmpirun(*library, folder, "platform.so");
}

Result<ProgramRun> RunOf(const SimulateOptions& options, int64_t ranks,
                         const std::string& folder) {
  const auto tool =
      FindTool(options.record.empty() ? "ranksight-replay-smpi"
                                      : "ranksight-replay-smpi.recorded");
  if (!tool.ok()) return WithoutSimGrid(tool.status());
  ProgramRun run;
  run.words = {options.smpirun, "-np", std::to_string(ranks)};
  const auto platform = PlatformFor(options, ranks, folder, &run);
  if (!platform.ok()) return platform.status();
  run.words.insert(run.words.end(), {"-platform", *platform});
  if (options.platform.empty() || !options.hosts.empty()) {
    run.words.insert(run.words.end(), {"-hostfile", folder + "/hosts"});
  }
  // Reading the clock costs nothing, and only what the trace says is
  // computation.
  run.words.insert(run.words.end(),
                   {"--cfg=smpi/wtime:0", "--cfg=smpi/simulate-computation:no",
                    "--log=root.thresh:critical"});
  for (const std::string& entry : options.config) {
    run.words.push_back("--cfg=" + entry);
  }
  run.environment[replay_engine::kReplayEnded] = EndMark(folder);
  std::string& scales = run.environment[replay_engine::kSiteScales];
  for (const std::string& scale : options.work.what_if.site_scales) {
    scales += scale + '\n';
  }
  const auto named = ForSmpirun(*tool, folder, "tool");
  if (!named.ok()) return named.status();
  run.words.push_back(*named);
  AddReplayWords(options, &run.words);
  if (!options.record.empty()) {
    run.environment["RANKSIGHT_OUTPUT"] = AbsolutePath(options.record);
    run.environment["RANKSIGHT_CLOCK"] = "wtime";
  }
  return run;
}

std::string TextOf(const std::string& path) {
  const auto bytes = reduction::ReadWholeFile(path);
  return bytes.ok() ? std::string(bytes->begin(), bytes->end()) : "";
}

// Of what SimGrid says where it gives up: pages of traces and of settings
// stand behind it, and what the replay says first in front.
std::string ReasonIn(const std::string& errors) {
  std::string line = errors.substr(0, errors.find('\n'));
  for (const std::string_view mark : {"CRITICAL] ", "Uncaught exception "}) {
    const size_t at = errors.find(mark);
    if (at == errors.npos) continue;
    line = errors.substr(at + mark.size());
    line.resize(std::min(line.size(), line.find('\n')));
    break;
  }
  return line.empty() ? "" : ": " + line;
}

// By a signal that RunProgram passed on.
bool Interrupted(int status) {
  return status == 128 + SIGINT || status == 128 + SIGTERM ||
         status == 128 + SIGHUP;
}

// kIo where SimGrid or its launcher gave up; of a partial trace, in which calls
// may wait for what is missing, kNo.
Result<Ended> RunSimulation(ProgramRun run, const std::string& what,
                            const std::string& folder, bool partial) {
  run.output_path = folder + "/output";
  run.error_path = folder + "/errors";
  const auto status = WithProgress(what, [&] { return RunProgram(run); });
  if (!status.ok()) return status.status();
  if (Interrupted(*status)) return Ended{*status, "", ""};
  Ended ended{*status, TextOf(run.output_path), TextOf(run.error_path)};
  if (*status > kLastStatus && *status != kToolDefect) {
    const std::string reason = run.words[0] + " ended with status " +
                               std::to_string(*status) + ReasonIn(ended.errors);
    return partial ? Status::No("the trace is partial: " + reason)
                   : Status::Io(reason);
  }
  return ended;
}

// The run, with what it needs in the folder.
Result<ProgramRun> Prepare(const SimulateOptions& options,
                           const reduction::Trace& trace,
                           const std::string& folder) {
  const int64_t ranks = trace.meta.ranks;
  const Status described = DescribePlaces(options, ranks, folder);
  if (!described.ok()) return described;
  SimulateOptions named = options;
  const Status names = NameForSmpirun(folder, &named);
  if (!names.ok()) return names;
  auto run = RunOf(named, ranks, folder);
  if (!run.ok() || !IsMetered(options)) return run;
  LimitStart(options, folder, &*run);
  const Status metered = MakeMeter(options, trace, folder);
  return metered.ok() ? std::move(run) : metered;
}

std::string CostOf(const SimulateOptions& options, const ReplayMeter& meter,
                   const SimulationNeeds& needs) {
  const double most = needs.memory.high;
  return options.json ? CostJson(meter, needs.ranks, most)
                      : CostText(meter, needs.ranks, most);
}

// Why not SimGrid; empty where it may do.
std::string WhyNotSimGrid(const SimulateOptions& options,
                          const SimulationNeeds& needs) {
  if (options.engine != "auto") return "";
  std::string why = WhyTooLarge(needs, RoomHere());
  if (why.empty() && options.places.given() && CheckOwnWalk(options).ok()) {
    why = FindPlatform().status().message();
  }
  const bool limited = options.limit_seconds > 0 && !options.estimate &&
                       CheckOwnWalk(options).ok();
  return why.empty() && limited ? WhyTooLong(needs, options.limit_seconds)
                                : why;
}

// A document with what it takes in it.
std::string WithNeeds(std::string document, const SimulationNeeds& needs) {
  const size_t end = document.rfind('}');
  if (end == document.npos) return document;
  JsonWriter json;
  AddNeeds(needs, &json);
  std::string object = json.Take();
  object.erase(object.find_last_not_of('\n') + 1);
  return document.insert(end, ", \"needs\": " + object);
}

// How much a metered simulation took; ended: in whatever way.
ReplayMeter MeterOf(const SimulateOptions& options, const std::string& folder,
                    const Taken& before, const Result<Ended>& ended) {
  ReplayMeter meter = ReadMeter(folder);
  if (meter.stop != MeterStop::kNone) return meter;
  const Taken after = TakenByPrograms();
  meter.spent_s = after.seconds - before.seconds;
  meter.memory_bytes = after.memory_bytes;
  if (!ended.ok() && options.limit_seconds > 0 &&
      meter.spent_s >= options.limit_seconds) {
    meter.stop = MeterStop::kLimit;
  }
  return meter;
}

}  // namespace

namespace {

// why: there is no result of SimGrid.
Result<Ended> SimulateInstead(const SimulateOptions& options,
                              const reduction::Trace& trace,
                              const std::string& why) {
  const Status can = CheckOwnWalk(options);
  if (!can.ok()) return Status::No(why + "; " + can.message());
  return SimulateOnOwnLinks(options, trace, why);
}

Result<Ended> SimulateUnderSimGrid(const SimulateOptions& options,
                                   const reduction::Trace& trace,
                                   const SimulationNeeds& needs,
                                   const std::string& what) {
  const auto folder = PrivateFolder::Make();
  if (!folder.ok()) return folder.status();
  const auto run = Prepare(options, trace, folder->path());
  if (!run.ok()) return run.status();
  const Taken before = TakenByPrograms();
  auto ended = RunSimulation(*run, what, folder->path(), options.partial);
  ReplayMeter meter;
  if (IsMetered(options)) {
    meter = MeterOf(options, folder->path(), before, ended);
    if (meter.stop == MeterStop::kEnough) {
      return Ended{0, CostOf(options, meter, needs), ""};
    }
    if (meter.stop != MeterStop::kNone) {
      const std::string why = BeyondLimitText(meter);
      return options.engine == "auto" && CheckOwnWalk(options).ok()
                 ? SimulateOnOwnLinks(options, trace, why)
                 : Status::No(why);
    }
  }
  if (!ended.ok()) return ended;
  std::fwrite(ended->errors.data(), 1, ended->errors.size(), stderr);
  // SimGrid says of a simulation in which all ranks wait that it went well.
  if (ended->status == 0 && !std::filesystem::exists(EndMark(folder->path()))) {
    Print(ended->output);
    ExplainStall(trace, options.file, options.work);
    return Status::No("the simulated replay did not end");
  }
  if (options.estimate && ended->status == 0) {
    ended->output = CostOf(options, meter, needs);
  }
  return ended;
}

}  // namespace

Result<SimulationNeeds> NeedsOf(const SimulateOptions& options,
                                const reduction::Trace& trace) {
  if (options.engine == "links") return SimulationNeeds();
  std::error_code error;
  const uint64_t bytes = std::filesystem::file_size(options.file, error);
  return NeedsOf(trace, error ? 0 : bytes, options.work.what_if.bytes_scale);
}

void SayNeeds(const SimulateOptions& options, const SimulationNeeds& needs) {
  if (options.engine == "links") return;
  Note("simulating takes " + NeedsText(needs));
}

Result<Ended> SimulateOne(const SimulateOptions& options,
                          const reduction::Trace& trace,
                          const SimulationNeeds& needs,
                          const std::string& what) {
  if (options.engine == "links") return SimulateOnOwnLinks(options, trace, "");
  const std::string why = WhyNotSimGrid(options, needs);
  auto ended = why.empty() ? SimulateUnderSimGrid(options, trace, needs, what)
                           : SimulateInstead(options, trace, why);
  if (ended.ok() && options.json) {
    ended->output = WithNeeds(std::move(ended->output), needs);
  }
  return ended;
}

}  // namespace ranksight::cli
