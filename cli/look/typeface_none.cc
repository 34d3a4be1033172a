// Where FreeType and Fontconfig are not installed: no font.
#include "cli/look/typeface.h"

namespace ranksight::cli {

std::optional<int> SetType(std::string_view, int, const CoveredPixel&) {
  return std::nullopt;
}

}  // namespace ranksight::cli
