// ranksight condense: a smaller trace of the same run.
#include "reduction/api/condense.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/base/files.h"
#include "cli/base/print.h"
#include "cli/base/progress.h"
#include "cli/commands/register.h"
#include "cli/symbols/site_names.h"
#include "reduction/api/codec.h"
#include "reduction/api/distribution.h"

namespace ranksight::cli {
namespace {

using reduction::Status;

struct CondenseOptions {
  std::string file, output;
  bool distributions = false;
};

int CondenseFile(const CondenseOptions& options) {
  uint64_t kept = 0;
  const Status written = WithProgress("condensing " + options.file, [&] {
    auto trace = reduction::ReadTraceFile(options.file);
    if (!trace.ok()) return trace.status();
    if (options.distributions) kept = KeepDistributions(&*trace);
    Condense(&*trace);
    return WriteNamedTrace(*trace, options.output, {&options.file, 1});
  });
  if (!written.ok()) return Fail(written);
  std::string text = options.file + ": " +
                     std::to_string(FileBytes(options.file)) + " bytes, " +
                     options.output + ": " +
                     std::to_string(FileBytes(options.output)) + " bytes";
  if (kept > 0) {
    text += ", " + std::to_string(kept) + " values kept as distributions";
  }
  Print(text + "\n");
  return 0;
}

}  // namespace

void RegisterCondense(Commands& commands) {
  auto options = std::make_shared<CondenseOptions>();
  CLI::App* app = commands.Add("condense", "Write a trace again, in less room",
                               [options] { return CondenseFile(*options); });
  app->add_option("FILE", options->file, "The trace")->required();
  app->add_option("-o,--output", options->output, "File to write")
      ->type_name("FILE")
      ->required();
  app->add_flag("--distributions", options->distributions,
                "Keep amounts that follow no rule (element counts) only as\n"
                "distributions: number, sum, least and most exact, quantiles\n"
                "within 12.5 %");
  app->footer(
      "Without an option nothing is lost. With --distributions the trace is\n"
      "lossy and says so: every event, peer and tag stays, totals stay exact,\n"
      "but single amounts are gone. `show`, `stats` and `diff` work with it;\n"
      "what needs every value (matrix, map, replay, simulate, generate,\n"
      "convert, extrapolate) refuses it with exit 1.\n\n"
      "Example: ranksight condense is.64.trace --distributions -o small.trace");
}

}  // namespace ranksight::cli
