#include "cli/look/legend.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

namespace ranksight::cli {

std::string AmountText(double value, std::string_view unit) {
  static constexpr const char* kPrefixes[] = {"", "K", "M", "G", "T"};
  size_t prefix = 0;
  for (; value >= 1000 && prefix + 1 < std::size(kPrefixes); ++prefix) {
    value /= 1000;
  }
  return fmt::format("{:.3g} {}{}", value, kPrefixes[prefix], unit);
}

void DrawLegend(int x, int y, std::string_view low, std::string_view high,
                Canvas* canvas) {
  const int width = std::min(256, canvas->width() - 2 * x);
  for (int i = 0; i < width; ++i) {
    canvas->Fill(x + i, y, 1, 10, HeatColour(static_cast<double>(i) / width));
  }
  canvas->Text(x, y + 14, low, 1, kInk);
  canvas->Text(x + width - Canvas::TextWidth("0", 1), y + 14, high, 1, kInk);
}

}  // namespace ranksight::cli
