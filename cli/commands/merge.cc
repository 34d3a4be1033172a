// ranksight merge: one trace of the parts that a run left.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/base/files.h"
#include "cli/base/print.h"
#include "cli/base/progress.h"
#include "cli/commands/register.h"
#include "cli/symbols/site_names.h"
#include "reduction/api/codec.h"
#include "reduction/api/losses.h"
#include "reduction/api/merge_parts.h"

namespace ranksight::cli {
namespace {

using reduction::Part;
using reduction::Status;

struct MergeOptions {
  std::vector<std::string> files;
  std::string output;
};

reduction::Result<reduction::Trace> MergedOf(
    const std::vector<std::string>& files) {
  std::vector<Part> parts;
  for (const std::string& file : files) {
    auto trace = reduction::ReadTraceFile(file);
    if (!trace.ok()) return trace.status();
    if (trace->meta.origin != reduction::Origin::kRecorded) {
      return Status::No(file + " was not recorded");
    }
    parts.push_back({file, std::move(*trace)});
  }
  return reduction::MergeParts(std::move(parts));
}

int MergeFiles(const MergeOptions& options) {
  const auto merged =
      WithProgress("merging " + std::to_string(options.files.size()) + " parts",
                   [&] { return MergedOf(options.files); });
  if (!merged.ok()) return Fail(merged.status());
  const Status written =
      WriteNamedTrace(*merged, options.output, options.files);
  if (!written.ok()) return Fail(written);
  const auto& losses = merged->meta.losses;
  const auto missing = losses.find(reduction::kLossMissingRanks);
  const uint64_t none = missing == losses.end() ? 0 : missing->second;
  Print(options.output + ": " +
        std::to_string(uint64_t(merged->meta.ranks) - none) + " of " +
        std::to_string(merged->meta.ranks) + " ranks, " +
        (merged->meta.complete ? "complete" : "partial") + "\n");
  return 0;
}

}  // namespace

void RegisterMerge(Commands& commands) {
  auto options = std::make_shared<MergeOptions>();
  CLI::App* app =
      commands.Add("merge", "Make one trace of the parts that a run left",
                   [options] { return MergeFiles(*options); });
  app->add_option("PART", options->files, "Traces of some ranks each")
      ->required();
  app->add_option("-o,--output", options->output, "File to write")
      ->type_name("FILE")
      ->required();
  app->footer(
      "Parts are left by runs without MPI_Init (sessions) and by ranks that\n"
      "crashed. The trace is complete where all ranks are there and nothing\n"
      "but the merging was missing. Parts that cannot be of one run (a rank\n"
      "in two of them, other rank counts, other times) end with 1.\n\n"
      "Example: ranksight merge app.4.trace.rank*.partial -o app.4.trace");
}

}  // namespace ranksight::cli
