// What names of files that are made of a program's begin with.
// Thread-safety: pure function.
#pragma once

#include <string>

namespace ranksight::reduction {

// The program's name; of one that is longer than files' names may be, with what
// we put behind it, the beginning and a hash of all. Whole characters of UTF-8
// stay whole.
std::string FileStem(const std::string& program);

}  // namespace ranksight::reduction
