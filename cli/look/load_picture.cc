#include "cli/look/load_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/look/legend.h"
#include "reduction/api/contract.h"

namespace ranksight::cli {
namespace {

using bgq_support::LinkLoads;
using bgq_support::Machine;

constexpr int kMargin = 24, kTitle = 24, kLegend = 56, kPanel = 240;
constexpr int kHeadline = 28;
constexpr Colour kNoLink = {225, 225, 225};

constexpr int64_t kMostPoints = 100'000'000;

// How many nodes a panel has across and down: together all of the machine.
struct Panel {
  explicit Panel(const bgq_support::Torus& torus) {
    const auto& d = torus.dimensions();
    for (size_t i = 0; i < d.size(); ++i) {
      (i < d.size() / 2 ? down : across) *= d[i].length;
    }
    cell = std::max(1, kPanel / std::max(across, down));
  }
  int width() const { return across * cell; }
  int height() const { return down * cell; }
  int across = 1, down = 1, cell = 1;
};

struct Layout {
  Layout(const Panel& panel, int64_t dims, int64_t mappings)
      : column(2 * (int64_t{panel.width()} + kMargin)),
        row(int64_t{panel.height()} + kTitle),
        width(mappings * column + 2 * kMargin + 80),
        height(kHeadline + dims * row + 2 * kTitle + kLegend) {}
  bool Fits() const { return width <= kMostPoints / height; }

  int64_t column, row, width, height;
};

void DrawPanel(const Machine& machine, const LinkLoads& loads, int dim, bool up,
               double most, int x, int y, Canvas* canvas) {
  const Panel panel(machine.torus);
  const bgq_support::Dimension& d =
      machine.torus.dimensions()[static_cast<size_t>(dim)];
  for (int node = 0; node < machine.torus.nodes(); ++node) {
    const int at = machine.torus.CoordinatesOf(node)[static_cast<size_t>(dim)];
    const bool exists =
        d.length > 1 && (d.wraps || (up ? at + 1 < d.length : at > 0));
    const double load =
        static_cast<double>(loads.At(machine.torus, {dim, up, node})) /
        static_cast<double>(loads.scale);
    canvas->Fill(x + node % panel.across * panel.cell,
                 y + node / panel.across * panel.cell, panel.cell, panel.cell,
                 exists ? HeatColour(most == 0 ? 0 : load / most) : kNoLink);
  }
}

// How many per cent a mapping takes off the most loaded link; 0: none.
int SavedPercent(double before, double after) {
  return after < before ? int(std::lround(100 * (1 - after / before))) : 0;
}

std::string SavedText(int percent) {
  return percent == 0 ? "" : fmt::format(": {} % less", percent);
}

// With what the last mapping saves, which is the best where one was looked for.
std::string HeadlineOf(
    const std::string& of,
    const std::vector<std::pair<std::string, const LinkLoads*>>& loads) {
  if (loads.size() < 2) return of;
  const double before = double(loads.front().second->MaxBytes());
  const double after = double(loads.back().second->MaxBytes());
  const int percent = SavedPercent(before, after);
  const auto headline = [&](const std::string& does) {
    return fmt::format("{}: the {} mapping {}", of, loads.back().first, does);
  };
  if (after > before) {
    return headline(before > 0
                        ? fmt::format("loads the busiest link {:.0f} % more",
                                      std::ceil(100 * (after / before - 1)))
                        : "loads links that had nothing");
  }
  const std::string little = after < before ? "less than 1 %" : "nothing";
  return headline(
      fmt::format("takes {} off the busiest link",
                  percent == 0 ? little : fmt::format("{} %", percent)));
}

std::string PlaceText(const bgq_support::Torus& torus, int node) {
  std::string text;
  for (const int at : torus.CoordinatesOf(node)) {
    text += (text.empty() ? "" : ",") + std::to_string(at);
  }
  return text;
}

// ": X down, YZ across, from 0,0,0 at the top left to 3,3,1, the last
// quickest".
std::string AcrossText(const Machine& machine) {
  const std::string letters = machine.Letters();
  const size_t down = size_t(machine.torus.dims()) / 2;
  std::string text = ": ";
  if (down > 0) text += letters.substr(0, down) + " down, ";
  return text + letters.substr(down, size_t(machine.torus.dims()) - down) +
         " across, from " + PlaceText(machine.torus, 0) +
         " at the top left to " +
         PlaceText(machine.torus, machine.torus.nodes() - 1) +
         ", the last quickest";
}

}  // namespace

reduction::Result<Canvas> PictureOf(
    const Machine& machine,
    const std::vector<std::pair<std::string, const LinkLoads*>>& loads,
    const std::string& of) {
  RANKSIGHT_REQUIRE(!loads.empty());
  const Panel panel(machine.torus);
  const int dims = machine.torus.dims();
  const Layout layout(panel, dims, static_cast<int64_t>(loads.size()));
  if (!layout.Fits()) {
    return reduction::Status::Usage(
        "a picture of this machine would have " + std::to_string(layout.width) +
        " x " + std::to_string(layout.height) + " points, more than " +
        std::to_string(kMostPoints));
  }
  const int column = static_cast<int>(layout.column);
  const int row = static_cast<int>(layout.row);
  Canvas canvas(static_cast<int>(layout.width),
                static_cast<int>(layout.height));
  double most = 0;
  for (const auto& [title, l] : loads) most = std::max(most, l->MaxBytes());
  const std::string letters = machine.Letters();
  canvas.Text(kMargin, 12, HeadlineOf(of, loads), 1, kInk);
  int x = kMargin;
  for (const auto& [title, l] : loads) {
    canvas.Text(x, kHeadline + kTitle / 2,
                title + ", most loaded link " + AmountText(l->MaxBytes(), "B") +
                    SavedText(SavedPercent(loads.front().second->MaxBytes(),
                                           l->MaxBytes())),
                1, kInk);
    for (int dim = 0; dim < dims; ++dim) {
      const int y = kHeadline + kTitle + dim * row;
      for (const bool up : {false, true}) {
        const int left = x + (up ? panel.width() + kMargin : 0);
        const char name[] = {letters[static_cast<size_t>(dim)], up ? '+' : '-'};
        canvas.Text(left, y + kTitle - 11, {name, 2}, 1, kInk);
        DrawPanel(machine, *l, dim, up, most, left, y + kTitle, &canvas);
      }
    }
    x += column;
  }
  const int below = kHeadline + dims * row + 2 * kTitle;
  DrawLegend(kMargin, below, "0", AmountText(most, "B") + " a link", &canvas);
  canvas.Text(kMargin, below + 28, "each point a node" + AcrossText(machine), 1,
              kInk);
  return canvas;
}

}  // namespace ranksight::cli
