// Starting programs: with a changed environment, waiting for the end.
//
// Thread-safety: RunProgram may be called from one thread at a time (it
// handles signals meanwhile).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reduction/api/status.h"

namespace ranksight::cli {

struct ProgramRun {
  std::vector<std::string> words;  // program and arguments
  // Variables to set on top of our own environment.
  std::map<std::string, std::string> environment;
  // Where standard output goes: a file that is made or overwritten; empty:
  // where ours goes.
  std::string output_path;
  std::string error_path = {};  // the same for standard error
  // Processor time at which the system kills it, and any program that it
  // starts; 0: none, or what holds for us.
  int64_t processor_seconds = 0;
};

// Runs a program found on PATH and waits for it. Its exit status, or 128 +
// the signal that ended it. While it runs, SIGINT, SIGTERM and SIGHUP sent to
// us reach it (SIGINT from a terminal does so anyway) and do not end us; those
// that we ignore it ignores, too. kIo when it cannot be started or its output
// file cannot be written.
reduction::Result<int> RunProgram(const ProgramRun& run);

// library, then what LD_PRELOAD held already. kUsage when the path holds a
// blank or a colon, which LD_PRELOAD cannot carry.
reduction::Result<std::string> PreloadValue(const std::string& library,
                                            const char* existing);

}  // namespace ranksight::cli
