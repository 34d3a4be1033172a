// ranksight machine: what a machine takes for computation and messages, and
// how that compares with another.
#include "online_model/api/machine.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/base/files.h"
#include "cli/base/lists.h"
#include "cli/base/locate.h"
#include "cli/base/print.h"
#include "cli/base/private_folder.h"
#include "cli/base/process.h"
#include "cli/base/progress.h"
#include "cli/commands/register.h"
#include "reduction/api/codec.h"
#include "reduction/api/shown_text.h"

namespace ranksight::cli {
namespace {

using reduction::Result;
using reduction::Status;

struct MachineOptions {
  std::string output, launcher, here, there;
  int64_t ranks = 2;
  bool messages_only = false;
};

// What ranksight-measure prints.
Result<std::string> Measured(const MachineOptions& options) {
  auto words = ExpandLauncher(LauncherOf(options.launcher), options.ranks);
  if (!words.ok()) return words.status();
  const auto tool = FindMpiTool("ranksight-measure", *words);
  if (!tool.ok()) return tool.status();
  words->push_back(*tool);
  if (options.messages_only) words->push_back("--messages");
  auto folder = PrivateFolder::Make();
  if (!folder.ok()) return folder.status();
  const std::string printed = folder->path() + "/times.json";
  const auto status = WithProgress("measuring", [&] {
    return RunProgram({*words, {}, printed});
  });
  if (!status.ok()) return status.status();
  if (*status != 0) {
    return Status::Io(words->front() + " ended with status " +
                      std::to_string(*status));
  }
  const auto bytes = reduction::ReadWholeFile(printed);
  if (!bytes.ok()) return bytes.status();
  std::string times(bytes->begin(), bytes->end());
  if (!online_model::ParseTimes(times).ok()) {
    return Status::Io("what " + words->front() +
                      " printed is not a machine's times alone");
  }
  return times;
}

int Measure(const MachineOptions& options) {
  if (Status s = CheckWritable(options.output); !s.ok()) return Fail(s);
  const auto times = Measured(options);
  if (!times.ok()) return Fail(times.status());
  const Status written = WriteTextFile(*times, options.output);
  if (!written.ok()) return Fail(written);
  Print(options.output + ": measured with " + std::to_string(options.ranks) +
        " ranks\n");
  return 0;
}

int CompareThem(const MachineOptions& options) {
  const auto here = online_model::ReadTimes(options.here);
  if (!here.ok()) return Fail(here.status());
  const auto there = online_model::ReadTimes(options.there);
  if (!there.ok()) return Fail(there.status());
  const auto ratios = online_model::Compare(*here, *there);
  if (!ratios.ok()) return Fail(ratios.status());
  const Status written = WriteTextFile(ToJson(*ratios), options.output);
  if (!written.ok()) return Fail(written);
  Print(options.output + ": " + ToText(*ratios) + "\n");
  for (const auto& [name, ratio] : ratios->kernels) {
    Print(fmt::format("  {} x{:.3g}\n", reduction::ShownName(name), ratio));
  }
  return 0;
}

}  // namespace

void RegisterMachine(Commands& commands) {
  auto options = std::make_shared<MachineOptions>();
  CLI::App* app = commands.Add(
      "machine", "Measure machines, for forecasts of one from another",
      [] { return 2; });
  app->require_subcommand(1, 1);
  CLI::App* measure =
      commands.AddBelow(app, "measure", "Measure this machine",
                        [options] { return Measure(*options); });
  measure->add_option("-o,--output", options->output, "File to write")
      ->type_name("FILE")
      ->required();
  measure
      ->add_option("--ranks", options->ranks,
                   "Ranks to start; messages go between the first and the\n"
                   "last, computation is measured on all at once")
      ->type_name("N")
      ->check(CLI::Range(int64_t{2}, int64_t{1} << 20))
      ->capture_default_str();
  measure
      ->add_option(
          "--launcher", options->launcher,
          "How to start MPI programs; {ranks} is replaced (default:\n" +
              DefaultLauncher() + ")")
      ->type_name("TEMPLATE");
  measure->add_flag("--messages-only", options->messages_only,
                    "Leave out computation: for forecast --messages");
  CLI::App* compare = commands.AddBelow(
      app, "compare", "What one machine takes of what another takes",
      [options] { return CompareThem(*options); });
  compare->add_option("HERE", options->here, "Times of the runs' machine")
      ->required();
  compare
      ->add_option("THERE", options->there, "Times of the machine to forecast")
      ->required();
  compare->add_option("-o,--output", options->output, "File to write")
      ->type_name("FILE")
      ->required();
  app->footer(
      "Measure on either machine, with as many ranks on a node as the program\n"
      "has there and the first and last rank on different nodes; compare;\n"
      "and forecast with the ratios. Their file is JSON to look at and edit:\n"
      "\"compute\" is the geometric mean of three kernels (arithmetic, memory\n"
      "bandwidth, single loads), which may differ a lot; put in the ratio of\n"
      "your program where you know it.\n\n"
      "Example: ranksight machine measure -o here.json\n"
      "         ranksight machine compare here.json there.json -o ratios.json\n"
      "         ranksight forecast app.*.trace --ranks 64 --machine "
      "ratios.json");
}

}  // namespace ranksight::cli
