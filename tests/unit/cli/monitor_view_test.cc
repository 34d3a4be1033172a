#include <gtest/gtest.h>

#include <algorithm>

#include "cli/monitor/view.h"
#include "cli/monitor/watch.h"

namespace ranksight::cli {
namespace {

using nlohmann::json;

json Point(int64_t ranks, double seconds) {
  return {{"ranks", ranks},          {"refused", false},
          {"seconds", seconds},      {"low", 0.8 * seconds},
          {"high", 1.2 * seconds},   {"call_share", 0.25},
          {"strong_efficiency", 0.5}};
}

MonitorData SampleData() {
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
       {{{"ranks", 4}, {"seconds", 8.0}, {"runs", 1}},
        {{"ranks", 16}, {"seconds", 2.0}, {"runs", 2}}}},
      {"points",
       {Point(4, 8),
        Point(16, 2),
        Point(64, 0.5),
        {{"ranks", 256}, {"refused", true}, {"reason", "too wide"}}}},
      {"growing", json::array()},
      {"verdict", {{"text", "Scales well to about 70 ranks"}}},
      {"refusals", {{{"text", "256"}, {"reason", "too wide"}}}},
      {"next_run", {{"ranks", 32}, {"reason", "it helps"}}}};
  return data;
}

std::vector<std::string> LinesOf(const MonitorData& data, size_t width,
                                 size_t height) {
  auto lines = MonitorLines(data, width, height, PlotForm::kAscii);
  EXPECT_TRUE(lines.ok()) << lines.status().message();
  return lines.ok() ? std::move(lines).value() : std::vector<std::string>();
}

TEST(MonitorView, TheCurveFallsFromTheMeasuredPointsToTheForecast) {
  const auto lines = LinesOf(SampleData(), 80, 40);
  const auto axis = std::find_if(lines.begin(), lines.end(), [](auto& line) {
    return line.find("+---") != std::string::npos;
  });
  ASSERT_NE(axis, lines.end());
  const auto rows = size_t(axis - lines.begin());
  const auto row_of = [&](size_t from, char c) {
    for (size_t row = from; row < rows; ++row) {
      if (lines[row].find(c) != std::string::npos) return row;
    }
    return size_t{99};
  };
  const size_t first = row_of(1, 'O');  // below the heading
  const size_t second = row_of(first + 1, 'O');
  ASSERT_LT(second, rows);
  EXPECT_LT(lines[first].find('O'), lines[second].find('O'));
  const size_t forecast = row_of(second + 1, '*');
  ASSERT_LT(forecast, rows);
  EXPECT_LE(lines[second].find('O'), lines[forecast].find('*'));
}

TEST(MonitorView, SaysWhatWasRefusedAndWhatToRunNext) {
  std::string text;
  for (const auto& line : LinesOf(SampleData(), 100, 40)) text += line + "\n";
  EXPECT_NE(text.find("256  refused: too wide"), std::string::npos) << text;
  EXPECT_NE(text.find("next run: 32 ranks; it helps"), std::string::npos);
  EXPECT_NE(text.find("3 runs stored, 7 segments"), std::string::npos);
}

TEST(MonitorView, BeginsWithTheVerdictAndHasWhatWasMeasured) {
  const auto lines = LinesOf(SampleData(), 100, 40);
  ASSERT_GT(lines.size(), 2u);
  EXPECT_EQ(lines[1], "Scales well to about 70 ranks");
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  EXPECT_NE(text.find("measured        16     2.00 s                     "
                      "100.0 %  2 runs\n"
                      "forecast        64     500 ms   25.0 %             "
                      "50.0 %  400 ms to 600 ms\n"),
            std::string::npos)
      << text;
}

TEST(MonitorView, TheVerdictGoesOnInTheNextLine) {
  MonitorData data = SampleData();
  data.forecast["verdict"]["text"] =
      "Scales well to about 70 ranks; from there MPI_Allreduce at "
      "solver.f90:128 takes over; next, run 64 ranks";
  const auto lines = LinesOf(data, 44, 40);
  ASSERT_GT(lines.size(), 4u);
  EXPECT_EQ(lines[1], "Scales well to about 70 ranks; from there");
  EXPECT_EQ(lines[2], "  MPI_Allreduce at solver.f90:128 takes");
  EXPECT_EQ(lines[3], "  over; next, run 64 ranks");
  // What has no blank is cut where the line ends.
  data.forecast["verdict"]["text"] = std::string(100, 'x');
  const auto cut = LinesOf(data, 44, 40);
  EXPECT_EQ(cut[1], std::string(44, 'x'));
  EXPECT_EQ(cut[2], "  " + std::string(42, 'x'));
  EXPECT_EQ(cut[3], "  " + std::string(14, 'x'));
}

TEST(MonitorView, WhatTakesMostTimeGoesOnInTheNextLine) {
  MonitorData data = SampleData();
  data.forecast["dominant"] = {{{"from_ranks", 64},
                                {"part", "in the call"},
                                {"call", "MPI_Allreduce"},
                                {"share", 0.5},
                                {"site", "residual of solver.f90:128"}}};
  const auto lines = LinesOf(data, 50, 40);
  const auto first = std::ranges::find(
      lines, "from 64 ranks most time is in MPI_Allreduce, 50.0");
  ASSERT_NE(first, lines.end());
  EXPECT_EQ(first[1], "  %, at residual of solver.f90:128");
}

TEST(MonitorView, TellsTheNewestRunThatWasStoredOrRefused) {
  MonitorData data = SampleData();
  const auto last_of = [&data] {
    for (const auto& line : LinesOf(data, 100, 40)) {
      if (line.starts_with("last: ")) return line;
    }
    return std::string();
  };
  EXPECT_EQ(last_of(), "");
  data.state["notices"] = {
      {{"text", "refused app on 4 ranks from anna: the store is full"}},
      {{"text", "stored older on 4 ranks from ben"}}};
  EXPECT_EQ(last_of(),
            "last: refused app on 4 ranks from anna: the store is full");
  data.state["notices"].erase(0);
  EXPECT_EQ(last_of(), "last: stored older on 4 ranks from ben");
}

TEST(MonitorView, SaysHowFarWalksAreWhileTheyAreMade) {
  MonitorData data = SampleData();
  const auto said = [&data] {
    for (const auto& line : LinesOf(data, 100, 40)) {
      if (line.starts_with("walking")) return line;
    }
    return std::string();
  };
  data.forecast["walking"] = true;
  EXPECT_EQ(said(), "");  // of a side-car that does not say it
  data.forecast["walks"] = {{"walked", 2}, {"all", 8}, {"left_seconds", 0}};
  EXPECT_EQ(said(), "walking the traces: 2 of 8 sizes, 25 %");
  data.forecast["walks"]["left_seconds"] = 12.0;
  EXPECT_EQ(said(),
            "walking the traces: 2 of 8 sizes, 25 %, about 12.0 s left");
  data.forecast["walks"]["waits_for_core"] = true;
  EXPECT_EQ(said(),
            "walking the traces: 2 of 8 sizes, 25 %, about 12.0 s left, "
            "waiting for a free core");
  data.forecast["walking"] = false;
  EXPECT_EQ(said(), "");
}

TEST(MonitorView, NamesManySizesByTheirEnds) {
  MonitorData data = SampleData();
  const auto said = [&data](std::vector<int64_t> sizes) {
    data.forecast["points"] = nlohmann::json::array();
    for (const int64_t ranks : sizes) {
      data.forecast["points"].push_back({{"ranks", ranks},
                                         {"refused", true},
                                         {"reason", "too far"},
                                         {"basis", "walked"}});
    }
    for (const auto& line : LinesOf(data, 100, 60)) {
      if (line.ends_with(": walked")) return line;
    }
    return std::string();
  };
  EXPECT_EQ(said({4, 9}), "at 4, 9 ranks: walked");
  EXPECT_EQ(said({4, 8, 64, 512, 1024, 1600}),
            "at 6 sizes from 4 to 1600 ranks: walked");
}

TEST(MonitorView, SaysWhetherEfficiencyIsOfStrongOrWeakScaling) {
  MonitorData data = SampleData();
  const auto text_of = [&] {
    std::string text;
    for (const auto& line : LinesOf(data, 100, 40)) text += line + "\n";
    return text;
  };
  EXPECT_NE(text_of().find("strong efficiency"), std::string::npos);
  EXPECT_NE(text_of().find(" 50.0 %  400 ms"), std::string::npos);
  data.forecast["verdict"]["scaling"] = "weak";
  for (json& p : data.forecast["points"]) p["weak_efficiency"] = 0.75;
  EXPECT_NE(text_of().find("weak efficiency"), std::string::npos);
  EXPECT_NE(text_of().find("400.0 %  2 runs"), std::string::npos);  // 8 s / 2 s
  EXPECT_NE(text_of().find(" 75.0 %  400 ms"), std::string::npos);
}

TEST(MonitorView, OneOfAThingIsSingular) {
  MonitorData data = SampleData();
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
  for (const auto& line : LinesOf(data, 100, 40)) text += line + "\n";
  for (const char* part : {"(1 of 1; 1 run)", "on 1 rank, 1 segment, 1 byte",
                           "1 run stored, 1 segment, 1 frame refused"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << '\n' << text;
  }
}

TEST(MonitorView, NoNameReachesTheTerminalsControlCodesOrItsMargin) {
  MonitorData data = SampleData();
  data.state["groups"][0]["program"] =
      "a\x1b[2J\x07\u009b\n" + std::string(500, 'x');
  for (const size_t width : {40u, 60u, 200u}) {
    for (const auto& line : LinesOf(data, width, 30)) {
      EXPECT_LE(line.size(), width);
      EXPECT_TRUE(
          std::ranges::none_of(
              line, [](unsigned char c) { return c < 0x20 || c == 0x7f; }) &&
          line.find("\u009b") == std::string::npos)
          << line;
    }
  }
}

// All that a side-car may put in the place of a value.
std::vector<json> Instead() {
  return {
      json(),     json::array(), json::object(), "text",    true,       -1,
      0,          1e300,         -1e300,         INT64_MIN, UINT64_MAX, 5e-324,
      json{1, 2}, json{{"x", 1}}};
}

TEST(MonitorView, NoAnswerOfAnotherShapeHurts) {
  MonitorData whole = SampleData();
  whole.state["live"] = {{{"heard_unix_ms", 1},
                          {"state", "receiving"},
                          {"program", "app"},
                          {"job", "j"},
                          {"ranks", 1},
                          {"segments", 1},
                          {"bytes", 1}}};
  whole.state["notices"] = {{{"text", "refused app on 4 ranks: full"}}};
  whole.forecast["under_way"] = {{{"job", "j"},
                                  {"used", true},
                                  {"ranks", 8},
                                  {"share_seen", 0.5},
                                  {"seconds", 4.0}}};
  whole.forecast["drift"] = {{"since_job", "j"}, {"factor", 1.5}};
  whole.forecast["dominant"] = {{{"from_ranks", 64},
                                 {"part", "in the call"},
                                 {"call", "MPI_Send"},
                                 {"share", 0.5},
                                 {"site", "main"}}};
  whole.forecast["growing"] = {{{"share_now", 0.1},
                                {"share_then", 0.5},
                                {"model", {{"text", "1 + N"}}},
                                {"call", "MPI_Send"},
                                {"site", "main"}}};
  ASSERT_TRUE(MonitorLines(whole, 80, 40, PlotForm::kBraille).ok());
  const json both = {{"state", whole.state}, {"forecast", whole.forecast}};
  size_t shown = 0, refused = 0;
  const auto expect_either = [&](const json& answers) {
    const auto lines = MonitorLines({answers["state"], answers["forecast"]}, 80,
                                    40, PlotForm::kBraille);
    if (!lines.ok()) {
      EXPECT_EQ(lines.status().code(), reduction::StatusCode::kBadInput);
    }
    ++(lines.ok() ? shown : refused);
  };
  const json flat = both.flatten();
  for (const auto& [place, value] : flat.items()) {
    for (json::json_pointer at(place); at.to_string().size() > 10;
         at = at.parent_pointer()) {
      for (const json& instead : Instead()) {
        json changed = both;
        changed[at] = instead;
        expect_either(changed);
      }
      json changed = both;
      json& parent = changed[at.parent_pointer()];
      if (parent.is_object()) {
        parent.erase(at.back());
      } else {
        parent.erase(size_t(std::stoi(at.back())));
      }
      expect_either(changed);
    }
  }
  EXPECT_GT(shown, 100u);
  EXPECT_GT(refused, 300u);
}

TEST(Watch, NoAnswerOfAnotherShapeHurts) {
  const std::string state = R"({"version":1,"groups":[{"id":"1"}]})";
  const std::string open(100000, '[');
  const std::string deep = open + std::string(100000, ']');
  for (const std::string& answer :
       {std::string("[]"), std::string("{"), std::string("{}"),
        std::string(R"({"groups":{"a":1}})"), std::string(R"({"groups":"a"})"),
        std::string(R"({"groups":[{"id":7}]})"),
        std::string(R"({"groups":[7]})"), open, deep,
        "{\"groups\":" + deep + "}"}) {
    Watch first([&](const std::string&) { return answer; }, "", {});
    const auto updated = first.Update();
    ASSERT_FALSE(updated.ok()) << answer.substr(0, 50);
    EXPECT_EQ(updated.status().code(), reduction::StatusCode::kBadInput);
    first.Turn(1);
    EXPECT_EQ(first.ToJsonLine(), "{\"forecast\":null,\"state\":null}\n");
    // Later, and in place of a forecast.
    bool whole = true;
    Watch later(
        [&](const std::string& path) {
          return whole == (path.find("state") != path.npos) ? state : answer;
        },
        "", {});
    EXPECT_EQ(later.Update().ok(), answer[0] == '{' && json::accept(answer))
        << answer.substr(0, 50);
    whole = false;
    later.Turn(-1);
    EXPECT_FALSE(later.Update().ok()) << answer.substr(0, 50);
  }
}

TEST(MonitorView, WithoutARunItSaysSo) {
  MonitorData data = SampleData();
  data.state["groups"] = json::array();
  data.forecast = json();
  EXPECT_EQ(LinesOf(data, 80, 24)[0], "ranksight: nothing measured yet");
}

}  // namespace
}  // namespace ranksight::cli
