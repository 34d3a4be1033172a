// Running a program with the runtime preloaded.
// Thread-safety: as RunProgram.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/base/process.h"
#include "reduction/api/status.h"

namespace ranksight::cli {

struct RecordingOptions {
  std::string output;           // trace file; empty: the runtime's default name
  std::string to;               // side-car endpoint; empty: none
  std::string server_key;       // of a side-car that asks for keys (Z85)
  std::string key;              // file with our own pair
  double epoch_seconds = 0;     // 0: not set
  double patience_seconds = 0;  // for the side-car; 0: not set
  std::string time_share;       // RANKSIGHT_TIME where that is not set
  bool distributions = false;   // keep irregular amounts so
  bool own_time = false;        // computation as processor time
  bool kokkos = false;          // what Kokkos does as regions
  std::vector<std::string> params;  // NAME=VALUE
};

// What the runtime reads (RANKSIGHT_*) and LD_PRELOAD with the runtime
// first. kUsage for a parameter that is not NAME=VALUE, a side-car's endpoint
// that is none, and when Kokkos is told of another tool already, kIo when a
// library is not found.
reduction::Result<std::map<std::string, std::string>> RecordingEnvironment(
    const RecordingOptions& options);

// The side-car's endpoint: as the options say, else RANKSIGHT_TO; empty where
// the run is sent to none.
std::string SideCarOf(const RecordingOptions& options);
// Notes why the run that left this trace is not stored there, if it is not.
// For the time after the run.
void NoteNotStored(const std::string& side_car, const std::string& trace);

// Only the RANKSIGHT_* variables; for tests and for programs that link the
// runtime.
reduction::Result<std::map<std::string, std::string>> RuntimeVariables(
    const RecordingOptions& options);

}  // namespace ranksight::cli
