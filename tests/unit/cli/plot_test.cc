#include "cli/base/plot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace ranksight::cli {
namespace {

constexpr size_t kFrame = 12;  // columns left of the field

ScalingPlot Sample() {
  ScalingPlot plot;
  plot.measured = {{4, 8, 0, 0}, {16, 2, 0, 0}};
  plot.forecast = {{64, 0.5, 0.4, 0.6}, {256, 0.25, 0.1, 0.6}};
  return plot;
}

// Characters, each as its bytes.
std::vector<std::string> CharactersOf(const std::string& line) {
  std::vector<std::string> out;
  for (const char c : line) {
    if ((c & 0xC0) == 0x80 && !out.empty()) {
      out.back() += c;
    } else {
      out.emplace_back(1, c);
    }
  }
  return out;
}

struct Place {
  size_t row, column;
  bool operator==(const Place&) const = default;
};
// Of a mark in the field, row by row.
std::vector<Place> PlacesOf(const std::vector<std::string>& lines,
                            const std::string& mark) {
  std::vector<Place> out;
  for (size_t row = 1; row + 3 < lines.size(); ++row) {
    const auto characters = CharactersOf(lines[row]);
    for (size_t at = kFrame; at < characters.size(); ++at) {
      if (characters[at] == mark) out.push_back({row - 1, at - kFrame});
    }
  }
  return out;
}

TEST(Plot, MarksStandWhereTheLogarithmsSay) {
  // 61 columns from 4 to 256 ranks, so ten a doubling; 17 rows.
  ScalingPlot plot = Sample();
  plot.forecast = {{256, 0.5, 0.5, 0.5}};  // down from 8 s: four rows a halving
  const auto lines = PlotLines(plot, kFrame + 61, 17, PlotForm::kAscii);
  EXPECT_EQ(PlacesOf(lines, "O"), (std::vector<Place>{{0, 0}, {8, 20}}));
  const auto line = PlacesOf(lines, "*");
  ASSERT_FALSE(line.empty());
  EXPECT_EQ(line.back(), (Place{16, 60}));
  // From the largest run to the point, in every column once at least.
  for (size_t column = 21; column <= 60; ++column) {
    EXPECT_TRUE(std::ranges::any_of(line, [&](const Place& p) {
      return p.column == column;
    })) << column;
  }
}

TEST(Plot, TheIdealLineIsOfTheKindOfScaling) {
  ScalingPlot plot = Sample();
  plot.forecast.clear();
  plot.measured = {{1, 8, 0, 0}, {16, 16, 0, 0}, {64, 0.125, 0, 0}};
  const auto strong = PlotLines(plot, kFrame + 61, 22, PlotForm::kAscii);
  // 1/64 of the time at 64 times the ranks: from corner to corner.
  const auto ideal = PlacesOf(strong, ".");
  ASSERT_FALSE(ideal.empty());
  for (size_t i = 1; i < ideal.size(); ++i) {
    EXPECT_GE(ideal[i].row, ideal[i - 1].row);
    EXPECT_GT(ideal[i].column, ideal[i - 1].column);
  }
  EXPECT_NE(strong.back().find("ideal (strong scaling)"), std::string::npos);
  plot.is_weak = true;
  const auto weak = PlotLines(plot, kFrame + 61, 22, PlotForm::kAscii);
  for (const Place& p : PlacesOf(weak, ".")) EXPECT_EQ(p.row, 3u);  // 8 s
  EXPECT_NE(weak.back().find("ideal (weak scaling)"), std::string::npos);
}

TEST(Plot, TheIntervalIsFilledBetweenItsEnds) {
  const auto lines = PlotLines(Sample(), 80, 24, PlotForm::kAscii);
  const auto band = PlacesOf(lines, ":");
  const auto at_end =
      std::ranges::count(band, size_t{80 - kFrame - 1}, &Place::column);
  // From 0.1 s to 0.6 s, of 0.1 s to 8 s: 0.41 of 24 rows, the line's own
  // apart.
  EXPECT_GE(at_end, 7);
  EXPECT_LE(at_end, 10);
}

TEST(Plot, AxesHaveTitlesAndUnits) {
  const auto lines = PlotLines(Sample(), 80, 24, PlotForm::kBraille);
  ASSERT_EQ(lines.size(), 24 + kPlotFrame);
  EXPECT_EQ(lines.front(), "run time over ranks, both logarithmic");
  std::string times;
  for (const std::string& line : lines) times += line.substr(0, 10);
  for (const char* label : {"5.00 s", "1.00 s", "500 ms", "200 ms"}) {
    EXPECT_NE(times.find(label), std::string::npos) << label << '\n' << times;
  }
  const std::string& ranks = lines[lines.size() - 2];
  EXPECT_EQ(ranks.find(" 4 "), kFrame - 1) << ranks;
  EXPECT_NE(ranks.find(" 64 "), std::string::npos) << ranks;
  EXPECT_TRUE(ranks.ends_with(" 256")) << ranks;
  EXPECT_NE(ranks.substr(0, kFrame).find("ranks"), std::string::npos) << ranks;
}

TEST(Plot, NoLineIsWiderThanTheTerminal) {
  ScalingPlot plot = Sample();
  plot.under_way = {{128, 0.4, 0, 0}};
  for (const size_t width : {40u, 61u, 300u}) {
    for (const PlotForm form : {PlotForm::kAscii, PlotForm::kBraille}) {
      for (const std::string& line : PlotLines(plot, width, 9, form)) {
        EXPECT_LE(CharactersOf(line).size(), width) << line;
      }
    }
  }
}

TEST(Plot, WhatNoRunTakesIsNotDrawn) {
  ScalingPlot plot = Sample();
  const auto without = PlotLines(plot, 80, 10, PlotForm::kBraille);
  for (const double odd : {-1.0, 0.0, 5e-324, 1e300, std::nan(""), HUGE_VAL}) {
    plot.measured.push_back({odd, 1, 0, 0});
    plot.forecast.push_back({8, odd, 0, 0});
    plot.forecast.push_back({8, 1, 0, odd > 1 ? odd : std::nan("")});
  }
  EXPECT_EQ(PlotLines(plot, 80, 10, PlotForm::kBraille), without);
}

TEST(Plot, OneSizeIsAPointAndNoTimeIsNoPlot) {
  ScalingPlot plot;
  EXPECT_TRUE(PlotLines(plot, 80, 10, PlotForm::kBraille).empty());
  plot.measured = {{4, 0, 0, 0}};
  EXPECT_TRUE(PlotLines(plot, 80, 10, PlotForm::kBraille).empty());
  plot.measured = {{4, 1, 0, 0}};
  EXPECT_EQ(PlacesOf(PlotLines(plot, 80, 10, PlotForm::kAscii), "O").size(),
            1u);
  EXPECT_TRUE(PlotLines(plot, 80, 10, PlotForm::kNone).empty());
}

}  // namespace
}  // namespace ranksight::cli
