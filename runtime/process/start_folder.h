// What relative names of files mean: the folder where the job was started, not
// where the program has gone since. That is RANKSIGHT_FOLDER, as `ranksight
// record` sets it, else where this process was when the library was loaded.
// Thread-safety: any thread; the same answer from any folder.
#pragma once

#include <string>

namespace ranksight::runtime {

// The path as it is where it is absolute or empty, or that folder is unknown.
std::string FromStartFolder(const std::string& path);

}  // namespace ranksight::runtime
