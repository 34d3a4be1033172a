// Files of a store: names safe for any job name, writes that are whole and
// on disk or not there at all.
// Thread-safety: pure functions but for the file system.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reduction/api/status.h"

namespace ranksight::online_model {

inline constexpr char kTraceEnding[] = ".trace";
inline constexpr char kPartialEnding[] = ".partial";

// A file name without ending: the job itself when it is harmless, else its
// harmless characters and a checksum of the whole. Never empty, never starts
// with a dot, at most 120 characters of [A-Za-z0-9._-].
std::string SafeName(const std::string& job);

// Creates it and its missing parents, mode 0700. Ok when it is there.
reduction::Status MakePrivateDirectory(const std::string& path);
// The same for a folder in that of a store.
reduction::Status MakePrivateDirectoryIn(const std::string& directory,
                                         const std::string& name);
// What root makes in somebody's store becomes that user's: a side-car under
// another name than root's could not read it. fd: a file or folder in
// directory.
void GiveToOwnerOf(const std::string& directory, int fd);
// kIo, with what to do, where everybody may change what is in the directory, or
// where the path is a link to another place.
reduction::Status CheckNotOpenToAll(const std::string& directory);
// kIo where the path is a link of another user but root; Ok where nothing is.
reduction::Status CheckNoLinkOfOthers(const std::string& path);
reduction::Status CheckNoLink(const std::string& path);
// Writes beside, syncs, renames, syncs the directory.
reduction::Status WriteDurably(const std::string& directory,
                               const std::string& name,
                               std::span<const uint8_t> bytes);
reduction::Status WriteDurably(const std::string& directory,
                               const std::string& name, std::string_view text);
reduction::Status SyncDirectory(const std::string& directory);

struct FileEntry {
  std::string name;
  uint64_t bytes = 0;
  int64_t modified_unix_ns = 0;
  uid_t owner = 0;
};
// Regular files only (no links), sorted by name.
reduction::Result<std::vector<FileEntry>> ListFiles(
    const std::string& directory);

}  // namespace ranksight::online_model
