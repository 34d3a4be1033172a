// Files the commands read and write.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::cli {

// The traces of several files, in the order given.
reduction::Result<std::vector<reduction::Trace>> ReadTraces(
    const std::vector<std::string>& paths);
// The same for commands that need every value: kNo when a trace keeps some
// only as distributions.
reduction::Result<std::vector<reduction::Trace>> ReadExactTraces(
    const std::vector<std::string>& paths);
reduction::Result<reduction::Trace> ReadExactTrace(const std::string& path);
// kIo when there is no such folder: commands that only look must not make
// the store they were pointed at.
reduction::Status CheckFolder(const std::string& path);
// 0 when the file cannot be looked at.
uint64_t FileBytes(const std::string& path);
// Beside the file, then renamed.
reduction::Status WriteTextFile(std::string_view text, const std::string& path);
// kIo when no file could be written there now. Leaves nothing behind, and a
// file of that name as it is.
reduction::Status CheckWritable(const std::string& path);
// Makes a directory and those above it; no error when it is there.
reduction::Status MakeDirectories(const std::string& path);

}  // namespace ranksight::cli
