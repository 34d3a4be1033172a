// What pictures of amounts share: their units and the band of colours below.
// Thread-safety: pure functions but for the canvas.
#pragma once

#include <string>
#include <string_view>

#include "cli/look/png.h"

namespace ranksight::cli {

inline constexpr Colour kInk = {20, 20, 20};

// "1.23 MB": three digits, powers of 1000.
std::string AmountText(double value, std::string_view unit);

// The colours of HeatColour from left to right, at most 256 wide, `low` and
// `high` under their ends. Needs 24 points below y.
void DrawLegend(int x, int y, std::string_view low, std::string_view high,
                Canvas* canvas);

}  // namespace ranksight::cli
