// Texts of options in lines that --help has room for.
// Thread-safety: pure functions.
#pragma once

#include <string>

namespace ranksight::cli {

// Broken between words.
std::string HelpLines(const std::string& text);

}  // namespace ranksight::cli
