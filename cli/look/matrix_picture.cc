#include "cli/look/matrix_picture.h"

#include <algorithm>
#include <cmath>

#include "cli/look/legend.h"

namespace ranksight::cli {
namespace {

constexpr int kLeastMargin = 40, kTop = 56, kMatrixLegend = 48,
              kMatrixPanel = 512;
constexpr Colour kNothing = {225, 225, 225};

double ValueOf(const reduction::Traffic& traffic, Amount amount) {
  return static_cast<double>(amount == Amount::kBytes ? traffic.bytes
                                                      : traffic.messages);
}

// Room beside the panel for the longest rank.
int MarginFor(const TrafficBlocks& blocks) {
  const int width = Canvas::TextWidth(std::to_string(blocks.ranks - 1), 1);
  return std::max(kLeastMargin, width + 12);
}

// Where a quarter begins and the last rank, beside and above the panel.
void DrawRanks(const TrafficBlocks& blocks, int margin, int cell,
               Canvas* canvas) {
  for (int quarter = 0; quarter <= 4; ++quarter) {
    const int64_t rank = std::min(blocks.ranks * quarter / 4, blocks.ranks - 1);
    const int at = static_cast<int>(rank / blocks.block) * cell + cell / 2;
    const std::string text = std::to_string(rank);
    const int width = Canvas::TextWidth(text, 1);
    canvas->Text(margin + at - width / 2, kTop - 12, text, 1, kInk);
    canvas->Text(margin - 6 - width, kTop + at - 3, text, 1, kInk);
  }
}

}  // namespace

Canvas PictureOf(const TrafficBlocks& blocks, Amount amount,
                 const std::string& title) {
  const int side = static_cast<int>(blocks.side);
  const int cell = std::max(1, kMatrixPanel / side);
  const int margin = MarginFor(blocks);
  Canvas canvas(2 * margin + std::max(side * cell, 360),
                kTop + side * cell + kMatrixLegend);
  double most = 0, least = 0;
  for (const auto& [at, traffic] : blocks.cells) {
    const double value = ValueOf(traffic, amount);
    most = std::max(most, value);
    if (value > 0) least = least == 0 ? value : std::min(least, value);
  }
  canvas.Text(margin, 12, title, 1, kInk);
  canvas.Text(margin, 28,
              most > least
                  ? "senders down, receivers across; colours by the logarithm"
                  : "senders down, receivers across",
              1, kInk);
  canvas.Fill(margin, kTop, side * cell, side * cell, kNothing);
  const double range = most > least ? std::log(most / least) : 0;
  for (const auto& [at, traffic] : blocks.cells) {
    const double value = ValueOf(traffic, amount);
    if (value == 0) continue;
    canvas.Fill(margin + static_cast<int>(at.second) * cell,
                kTop + static_cast<int>(at.first) * cell, cell, cell,
                HeatColour(range == 0 ? 1 : std::log(value / least) / range));
  }
  DrawRanks(blocks, margin, cell, &canvas);
  const std::string unit = amount == Amount::kBytes ? "B" : "messages";
  const int below = kTop + side * cell + 16;
  if (most > least) {
    DrawLegend(margin, below, AmountText(least, unit),
               AmountText(most, unit) + " (log)", &canvas);
  } else if (most > 0) {
    canvas.Fill(margin, below, 10, 10, HeatColour(1));
    canvas.Text(margin + 16, below + 1,
                "all that send: " + AmountText(most, unit), 1, kInk);
  } else {
    const bool bytes = amount == Amount::kBytes;
    canvas.Text(margin, below, bytes ? "no bytes" : "no messages", 1, kInk);
  }
  return canvas;
}

}  // namespace ranksight::cli
