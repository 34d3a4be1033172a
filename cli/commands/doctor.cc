// ranksight doctor: what this installation can do here, and what mends the
// rest.
#include <sched.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <fstream>
#include <memory>
#include <optional>

#include "adapters/api/adapter.h"
#include "cli/base/files.h"
#include "cli/base/json.h"
#include "cli/base/locate.h"
#include "cli/base/print.h"
#include "cli/base/private_folder.h"
#include "cli/base/recording.h"
#include "cli/commands/register.h"
#include "cli/symbols/debug_info.h"
#include "reduction/api/codec.h"
#include "reduction/api/folder.h"
#include "reduction/api/merge.h"

namespace ranksight::cli {
namespace {

using reduction::Call;
using reduction::Result;
using reduction::Status;
using reduction::Trace;

struct Finding {
  std::string what;
  bool works = false;
  std::string says, mend;  // mend: where it does not work
};

struct Mpi {
  const char* name;  // of the runtime's flavour
  const char* what;  // for people
  const char* launcher;
  const char* package;  // of the launcher
  const char* headers;  // package that our part for it is built with
};
constexpr Mpi kMpis[] = {
    {"mpich", "MPICH programs", "mpiexec.mpich", "mpich", "libmpich-dev"},
    {"openmpi", "Open MPI programs", "mpiexec.openmpi", "openmpi-bin",
     "libopenmpi-dev"}};

constexpr int64_t kTrialRanks = 2;

std::string Install(const std::string& packages) {
  return "apt-get install " + packages;
}

// For a part that this command was built without. Who has a tarball or packages
// has nothing to build anew.
std::string Build(const std::string& packages) {
  return IsInBuildTree() ? Install(packages) + ", and build anew"
                         : "this installation was made without that part: " +
                               Install(packages) +
                               ", and install from source (README.md, Install)";
}

// What a trial runs: both ranks meet in a barrier.
Result<Trace> TrialTrace() {
  std::optional<Trace> all;
  for (int64_t rank = 0; rank < kTrialRanks; ++rank) {
    reduction::Folder folder;
    const uint32_t module = folder.AddModule({"", "trial"});
    uint64_t line = 0;
    for (const Call call :
         {Call::MPI_Init_, Call::MPI_Barrier_, Call::MPI_Finalize_}) {
      reduction::Event event(call);
      while (!event.Complete()) event.Add(0);
      event.site = folder.AddSite({{{module, ++line}}});
      folder.Push(event, 0, 0);
    }
    Trace one = folder.Snapshot(rank, kTrialRanks);
    if (!all) {
      all = std::move(one);
      continue;
    }
    auto merged = reduction::Merge(std::move(*all), std::move(one));
    if (!merged.ok()) return merged.status();
    all = std::move(*merged);
  }
  return *all;
}

// The first line that says something, and is no frame around it.
std::string FirstWords(const std::string& file) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (std::ranges::any_of(line, [](unsigned char c) { return isalpha(c); })) {
      return line;
    }
  }
  return "";
}

// Replays the trial under a launcher and records that; the trace of it.
Result<Trace> RecordTrial(const Mpi& mpi, const PrivateFolder& folder) {
  const std::string trial = folder.path() + "/trial.trace";
  const std::string recorded = folder.path() + "/recorded.trace";
  const auto trace = TrialTrace();
  if (!trace.ok()) return trace.status();
  const Status written = WriteTraceFile(*trace, trial);
  if (!written.ok()) return written;
  ProgramRun run;
  run.words = {mpi.launcher, "-n", std::to_string(kTrialRanks)};
  const auto tool = FindMpiTool("ranksight-replay", run.words);
  if (!tool.ok()) return tool.status();
  run.words.insert(run.words.end(), {*tool, trial, "--no-compute"});
  RecordingOptions options;
  options.output = recorded;
  auto environment = RecordingEnvironment(options);
  if (!environment.ok()) return environment.status();
  run.environment = std::move(*environment);
  // On one core, too.
  run.environment["OMPI_MCA_rmaps_base_oversubscribe"] = "1";
  run.output_path = folder.path() + "/out.txt";
  run.error_path = folder.path() + "/err.txt";
  const auto status = RunProgram(run);
  if (!status.ok()) return status.status();
  if (*status != 0) {
    return Status::No(std::string(mpi.launcher) + " ended with " +
                      std::to_string(*status) + ": " +
                      FirstWords(run.error_path));
  }
  return reduction::ReadTraceFile(recorded);
}

Finding TryMpi(const Mpi& mpi) {
  Finding finding{mpi.what, false, "", ""};
  const std::string flavour = std::string("libranksight-") + mpi.name + ".so";
  const auto library = FindLibrary(flavour);
  const std::string both = std::string(mpi.package) + " " + mpi.headers;
  if (FindProgram(mpi.launcher).empty()) {
    finding.says = std::string("no ") + mpi.launcher;
    // What was built elsewhere and installed here lacks the launcher alone.
    finding.mend = library.ok() ? Install(mpi.package) : Build(both);
    return finding;
  }
  if (!library.ok()) {
    finding.says = library.status().message();
    finding.mend = Build(both);
    return finding;
  }
  const auto folder = PrivateFolder::Make();
  const auto trace =
      folder.ok() ? RecordTrial(mpi, *folder) : Result<Trace>(folder.status());
  if (!trace.ok()) {
    finding.says = trace.status().message();
    finding.mend =
        geteuid() == 0 && std::string_view(mpi.name) == "openmpi"
            ? "run it as a user, or set OMPI_ALLOW_RUN_AS_ROOT=1 "
              "and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"
            : std::string("mend `") + mpi.launcher + " -n 2 hostname` first";
    return finding;
  }
  finding.works = trace->meta.ranks == kTrialRanks && trace->meta.complete;
  finding.says =
      finding.works
          ? std::string("ran, replayed and recorded 2 ranks by ") + mpi.launcher
          : "a trial left a trace that is not whole";
  finding.mend = finding.works ? "" : "see docs/limits.md";
  return finding;
}

bool HasSteadyCounter() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("flags")) {
      return line.find("constant_tsc") != line.npos &&
             line.find("nonstop_tsc") != line.npos;
    }
  }
  return false;
}

Finding Cores() {
  cpu_set_t set;
  const int cores =
      sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return {"cores", true,
          std::to_string(cores) +
              ": where more ranks share them, computation is processor time",
          ""};
}

// One that is there if and only if its file is.
Finding OfFile(const std::string& what, const Result<std::string>& file,
               const std::string& mend) {
  if (file.ok()) return {what, true, *file, ""};
  return {what, false, file.status().message(), mend};
}

std::vector<Finding> Examine() {
  std::vector<Finding> findings;
  findings.push_back(OfFile("recording", FindLibrary(kRuntimeLibrary),
                            "keep bin and lib of the installation together"));
  for (const Mpi& mpi : kMpis) findings.push_back(TryMpi(mpi));
  const bool named = DebugInfo::IsThere();
  findings.push_back({"names of functions", named,
                      named ? "of programs that have symbols" : "no libdw",
                      named ? "" : Build("libdw-dev")});
  const bool steady = HasSteadyCounter();
  findings.push_back({"clock", true,
                      steady ? "the processor's counter"
                             : "the system's: a call costs some 50 ns more",
                      ""});
  findings.push_back(Cores());
  const std::string smpirun = FindProgram("smpirun");
  auto simulated = FindTool("ranksight-replay-smpi");
  // smpirun comes with what our part for it is built with.
  const std::string simgrid = "libsimgrid-dev";
  const std::string mend = simulated.ok() ? Install(simgrid) : Build(simgrid);
  if (simulated.ok() && smpirun.empty()) simulated = Status::Io("no smpirun");
  findings.push_back(OfFile("simulated time (SimGrid)", simulated, mend));
  findings.push_back(OfFile("Kokkos kernels", FindLibrary(kKokkosLibrary),
                            Build("libtrilinos-kokkos-dev")));
  const bool otf2 = adapters::FindAdapter("otf2") != nullptr;
  findings.push_back({"OTF2 archives", otf2, otf2 ? "read and written" : "no",
                      otf2 ? "" : Build("libopen-trace-format2-dev")});
  return findings;
}

std::string TextOf(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& f : findings) {
    text += (f.works ? "yes  " : "no   ") + f.what + ": " + f.says + '\n';
    if (!f.works) text += "     mend: " + f.mend + '\n';
  }
  return text;
}

std::string JsonOf(const std::vector<Finding>& findings) {
  JsonWriter json;
  json.BeginObject().Key("findings").BeginArray();
  for (const Finding& f : findings) {
    json.BeginObject()
        .Member("what", f.what)
        .Member("works", f.works)
        .Member("says", f.says)
        .Member("mend", f.mend)
        .EndObject();
  }
  return json.EndArray().EndObject().text();
}

int Doctor(bool as_json) {
  const std::vector<Finding> findings = Examine();
  Print(as_json ? JsonOf(findings) : TextOf(findings));
  const bool records = std::ranges::any_of(findings, [](const Finding& f) {
    return f.works && std::ranges::any_of(kMpis, [&](const Mpi& mpi) {
             return f.what == mpi.what;
           });
  });
  return records ? 0 : 1;
}

}  // namespace

void RegisterDoctor(Commands& commands) {
  auto as_json = std::make_shared<bool>(false);
  CLI::App* app = commands.Add(
      "doctor", "What this installation can do here, and what mends the rest",
      [as_json] { return Doctor(*as_json); });
  app->add_flag("--json", *as_json, "One JSON document on stdout");
  app->footer(
      "Runs two ranks under each MPI that is found, and records them. Exit 1\n"
      "where no MPI's programs can be recorded.\n\n"
      "Example: ranksight doctor");
}

}  // namespace ranksight::cli
