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
// The status with the file's name before its reason.
reduction::Status Named(const std::string& file,
                        const reduction::Status& status);
// kIo when there is no such folder: commands that only look must not make
// the store they were pointed at.
reduction::Status CheckFolder(const std::string& path);
// kIo when there is nothing of that name.
reduction::Status CheckThere(const std::string& path);
// 0 when the file cannot be looked at.
uint64_t FileBytes(const std::string& path);
// Beside the file, then renamed.
reduction::Status WriteTextFile(std::string_view text, const std::string& path);
// kIo when WriteFileAtomically could write no file there now. Leaves nothing
// behind, and what has that name as it is: of a pipe only the rights are
// looked at.
reduction::Status CheckWritable(const std::string& path);
// kIo when no file could be made in the folder now.
reduction::Status CheckFolderWritable(const std::string& folder);
// What a file made in the folder now would have as its time, Unix ns.
reduction::Result<int64_t> TimeOfFolder(const std::string& folder);
// Makes a directory and those above it; no error when it is there.
reduction::Status MakeDirectories(const std::string& path);

// Whether somebody else has written a file since this was made.
class NewFile {
 public:
  explicit NewFile(std::string path);
  // kIo when it has not. What is there and no file passes.
  reduction::Status Check() const;

 private:
  struct Stamp {
    uint64_t inode = 0;
    int64_t seconds = 0, nanoseconds = 0;
    bool file = false, other = false;
    bool operator==(const Stamp&) const = default;
  };
  Stamp Now() const;

  std::string path_;
  Stamp before_;
};

}  // namespace ranksight::cli
