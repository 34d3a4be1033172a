#include "cli/base/run_with_progress.h"

#include <fstream>
#include <iterator>

#include "cli/base/print.h"
#include "cli/base/private_folder.h"
#include "cli/base/progress.h"

namespace ranksight::cli {

reduction::Result<int> RunWithProgress(const std::string& what,
                                       const ProgramRun& run,
                                       std::chrono::milliseconds silent,
                                       int terminal) {
  if (::isatty(terminal) == 0) return RunProgram(run);
  const auto folder = PrivateFolder::Make();
  // No room for the output: better without progress than not at all.
  if (!folder.ok()) return RunProgram(run);
  ProgramRun kept = run;
  kept.output_path = folder->path() + "/output";
  const auto status = [&] {
    const Progress progress(what, silent, terminal);
    return RunProgram(kept);
  }();
  std::ifstream output(kept.output_path, std::ios::binary);
  Print(std::string(std::istreambuf_iterator<char>(output), {}));
  return status;
}

}  // namespace ranksight::cli
