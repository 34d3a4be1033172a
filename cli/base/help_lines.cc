#include "cli/base/help_lines.h"

#include <algorithm>

namespace ranksight::cli {

std::string HelpLines(const std::string& text) {
  constexpr size_t kColumns = 58;
  std::string out;
  size_t line = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    if (!out.empty()) {
      const bool fits = line + 1 + end - at <= kColumns;
      out += fits ? ' ' : '\n';
      line = fits ? line + 1 : 0;
    }
    out.append(text, at, end - at);
    line += end - at;
    at = end + 1;
  }
  return out;
}

}  // namespace ranksight::cli
