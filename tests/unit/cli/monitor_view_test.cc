#include <gtest/gtest.h>

#include <algorithm>

#include "cli/monitor/view.h"

namespace ranksight::cli {
namespace {

using nlohmann::json;

json Point(int64_t ranks, double seconds) {
  return {{"ranks", ranks},          {"refused", false},
          {"seconds", seconds},      {"low", 0.8 * seconds},
          {"high", 1.2 * seconds},   {"call_share", 0.25},
          {"strong_efficiency", 0.5}};
}

MonitorData Sample() {
  MonitorData data;
  data.state = {
      {"groups",
       {{{"id", "1"}, {"program", "app"}, {"params", ""}, {"runs", 3}}}},
      {"live", json::array()},
      {"endpoint", "tcp://127.0.0.1:1"},
      {"counters",
       {{"runs_stored", 3}, {"segments", 7}, {"frames_refused", 0}}}};
  data.forecast = {
      {"sizes",
       {{{"ranks", 4}, {"seconds", 8.0}}, {{"ranks", 16}, {"seconds", 2.0}}}},
      {"points",
       {Point(4, 8),
        Point(16, 2),
        Point(64, 0.5),
        {{"ranks", 256}, {"refused", true}, {"reason", "too wide"}}}},
      {"growing", json::array()},
      {"next_run", {{"ranks", 32}, {"reason", "it helps"}}}};
  return data;
}

TEST(MonitorView, TheCurveFallsFromTheMeasuredPointsToTheForecast) {
  const auto lines = CurveLines(Sample().forecast, 80, 20);
  ASSERT_EQ(lines.size(), 22u);  // with the axis and its labels
  const auto row_of = [&](size_t from, char c) {
    for (size_t row = from; row < 20; ++row) {
      if (lines[row].find(c) != std::string::npos) return row;
    }
    return size_t{99};
  };
  const size_t first = row_of(0, 'O');
  const size_t second = row_of(first + 1, 'O');
  ASSERT_LT(second, 20u);
  EXPECT_LT(lines[first].find('O'), lines[second].find('O'));
  const size_t forecast = row_of(second + 1, '*');
  ASSERT_LT(forecast, 20u);
  EXPECT_LT(lines[second].find('O'), lines[forecast].find('*'));
  EXPECT_EQ(lines[20].find('O'), std::string::npos);
}

TEST(MonitorView, SaysWhatWasRefusedAndWhatToRunNext) {
  std::string text;
  for (const auto& line : MonitorLines(Sample(), 100, 40)) text += line + "\n";
  EXPECT_NE(text.find("256  refused: too wide"), std::string::npos) << text;
  EXPECT_NE(text.find("next run: 32 ranks; it helps"), std::string::npos);
  EXPECT_NE(text.find("3 runs stored, 7 segments"), std::string::npos);
}

TEST(MonitorView, OneOfAThingIsSingular) {
  MonitorData data = Sample();
  data.state["groups"][0]["runs"] = 1;
  data.state["counters"] = {
      {"runs_stored", 1}, {"segments", 1}, {"frames_refused", 1}};
  data.state["live"] = {{{"heard_unix_ms", 1},
                         {"state", "receiving"},
                         {"program", "app"},
                         {"job", "j"},
                         {"ranks", 1},
                         {"segments", 1},
                         {"bytes", 1}}};
  std::string text;
  for (const auto& line : MonitorLines(data, 100, 40)) text += line + "\n";
  for (const char* part : {"(1 of 1; 1 run)", "on 1 rank, 1 segment, 1 byte",
                           "1 run stored, 1 segment, 1 frame refused"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << '\n' << text;
  }
}

TEST(MonitorView, NoNameReachesTheTerminalsControlCodesOrItsMargin) {
  MonitorData data = Sample();
  data.state["groups"][0]["program"] = "a\x1b[2J\x07" + std::string(500, 'x');
  for (const size_t width : {40u, 60u, 200u}) {
    for (const auto& line : MonitorLines(data, width, 30)) {
      EXPECT_LE(line.size(), width);
      EXPECT_TRUE(std::ranges::none_of(line, [](unsigned char c) {
        return c < 0x20 || c == 0x7f;
      })) << line;
    }
  }
}

TEST(MonitorView, WithoutARunItSaysSo) {
  MonitorData data = Sample();
  data.state["groups"] = json::array();
  data.forecast = json();
  EXPECT_EQ(MonitorLines(data, 80, 24)[0], "ranksight: nothing measured yet");
}

}  // namespace
}  // namespace ranksight::cli
