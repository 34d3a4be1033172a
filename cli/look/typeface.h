// Letters of this machine's sans serif, as covered pixels, for pictures.
// Thread-safety: one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace ranksight::cli {

// A pixel, right of where the text begins and below the line it stands on, and
// how much of it a letter covers: 0 nothing, 255 all.
using CoveredPixel = std::function<void(int x, int y, uint8_t cover)>;

// Sets text in one line, `pixels` a square of the font; covered: may be empty.
// Returns how wide it is; nothing where no font is found, or the build has no
// FreeType and Fontconfig. REQUIRES: text is UTF-8, pixels >= 1.
std::optional<int> SetType(std::string_view text, int pixels,
                           const CoveredPixel& covered);

}  // namespace ranksight::cli
