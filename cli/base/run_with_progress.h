// Programs of ours that print their result at their end, with progress shown
// until then.
// Thread-safety: as RunProgram.
#pragma once

#include <unistd.h>

#include <chrono>
#include <string>

#include "cli/base/process.h"

namespace ranksight::cli {

// As RunProgram. Where `terminal` is one, it shows `what` until the program
// has ended (Progress), and the program's standard output comes behind that.
reduction::Result<int> RunWithProgress(
    const std::string& what, const ProgramRun& run,
    std::chrono::milliseconds silent = std::chrono::seconds(2),
    int terminal = STDERR_FILENO);

}  // namespace ranksight::cli
