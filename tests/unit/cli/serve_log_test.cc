#include "cli/service/serve_log.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace ranksight::cli {
namespace {

using nlohmann::json;

// 2026-11-27 10:00:00.123 UTC.
constexpr int64_t kTime = 1'795'773'600'123'456'789;

TEST(ServeLog, SaysWhatHappenedWhenAndOfWhom) {
  const json line = json::parse(JsonLine(
      {online_model::LogLevel::kWarning, "refused", {"ci", "anna"}}, kTime));
  EXPECT_EQ(line, json::parse(R"({"time": "2026-11-27T10:00:00.123Z",
      "level": "warning", "user": "anna", "key": "ci", "event": "note",
      "message": "refused"})"));
}

TEST(ServeLog, ARunIsOneLineWhateverItsNamesAre) {
  online_model::RunRecord run;
  run.job = "j\n{}";
  run.program = "a\x1b[2J\xff\"";
  run.ranks = 4;
  run.seconds = 0.5;
  run.bytes = 100;
  const std::string text = JsonLine(run, kTime);
  for (const unsigned char c : text) EXPECT_TRUE(c >= ' ' && c < 0x7f);
  const json line = json::parse(text);
  EXPECT_EQ(line["event"], "stored");
  EXPECT_EQ(line["level"], "info");
  EXPECT_EQ(line["job"], "j?{}");
  EXPECT_EQ(line["program"], "a?[2J?\"");
  EXPECT_EQ(line["ranks"], 4);
  EXPECT_EQ(line["complete"], true);
}

}  // namespace
}  // namespace ranksight::cli
