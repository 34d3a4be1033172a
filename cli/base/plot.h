// Run time over ranks as a chart of characters, both axes logarithmic:
//
//   measured sizes, forecast points with a line through them and the interval
//   they may lie in, what is expected of runs under way, and the ideal line,
//   of work that is the same at all sizes (strong) or grows with them (weak).
//
// Thread-safety: pure functions but for what they ask of a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ranksight::cli {

struct PlotPoint {
  double ranks = 0, seconds = 0;
  double low = 0, high = 0;  // of a forecast
};

struct ScalingPlot {
  // By rank count, ascending.
  std::vector<PlotPoint> measured, forecast, under_way;
  bool is_weak = false;
};

// Without a chart; in ASCII; with dots of Braille, which need UTF-8.
enum class PlotForm : unsigned char { kNone, kAscii, kBraille };

// Rows for the axes, their titles and the legend, beside those of the field.
inline constexpr size_t kPlotFrame = 4;

// Lines of at most `width` characters (not bytes), `field_rows` of them for the
// field; none where nothing has a time. REQUIRES: width >= 40, field_rows >= 2.
std::vector<std::string> PlotLines(const ScalingPlot& plot, size_t width,
                                   size_t field_rows, PlotForm form);

// What can be drawn where the descriptor leads: nothing but to a terminal.
PlotForm PlotFormOf(int fd);
// Its columns; `otherwise` where it is no terminal or does not say.
size_t TerminalWidth(int fd, size_t otherwise);

}  // namespace ranksight::cli
