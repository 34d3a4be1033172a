// Which file a launch writes where others of the same `ranksight record` may
// have written theirs: the second takes a.2.trace where the first took a.trace.
// Thread-safety: any thread.
#pragma once

#include <cstdint>
#include <string>

namespace ranksight::runtime {

// output, or with a number before its extension: the first such name that no
// file has which was written after began_ns (Unix time of the file system).
std::string NameOfLaunch(const std::string& output, int64_t began_ns);

}  // namespace ranksight::runtime
