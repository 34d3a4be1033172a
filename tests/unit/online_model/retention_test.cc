#include "online_model/api/retention.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ranksight::online_model {
namespace {

constexpr int64_t kDayNs = 86'400'000'000'000;

RunRecord Run(const std::string& job, const std::string& program,
              const Sender& sender, int64_t stored_day) {
  RunRecord run;
  run.job = job;
  run.program = program;
  run.sender = sender;
  run.stored_unix_ns = stored_day * kDayNs;
  return run;
}

std::vector<std::string> ExpiredOnDay100(
    const std::vector<std::string>& rules) {
  const std::vector<RunRecord> runs = {
      Run("old", "app", {"", "anna"}, 9), Run("edge", "app", {"", "anna"}, 10),
      Run("test", "tests:a", {"", "ben"}, 92),
      Run("keyed", "app", {"ci", "service"}, 97)};
  std::vector<RetentionRule> read;
  for (const std::string& text : rules) {
    const auto rule = ParseRetention(text);
    EXPECT_TRUE(rule.ok()) << text;
    read.push_back(*rule);
  }
  return ExpiredJobs(runs, read, 100 * kDayNs);
}

using Jobs = std::vector<std::string>;

TEST(Retention, RunsGoWhenTheyAreOlderThanARuleSays) {
  EXPECT_EQ(ExpiredOnDay100({}), Jobs{});
  EXPECT_EQ(ExpiredOnDay100({"90"}), Jobs{"old"});
  EXPECT_EQ(ExpiredOnDay100({"89.5"}), (Jobs{"old", "edge"}));
}

TEST(Retention, ARuleMayBeOfAProgramOrOfASender) {
  EXPECT_EQ(ExpiredOnDay100({"program=tests:a:7"}), Jobs{"test"});
  EXPECT_EQ(ExpiredOnDay100({"user=ci:2"}), Jobs{"keyed"});
  // A key stands before whose process has it.
  EXPECT_EQ(ExpiredOnDay100({"user=service:2"}), Jobs{});
  EXPECT_EQ(ExpiredOnDay100({"90", "user=ben:2"}), (Jobs{"old", "test"}));
}

TEST(Retention, WhatIsNoRuleIsRefused) {
  for (const char* text :
       {"", "x", "0", "-1", "inf", "nan", "90d", "program=:3", "user=a", "a:3",
        "job=a:3", "program=a:", ":3"}) {
    EXPECT_EQ(ParseRetention(text).status().code(),
              reduction::StatusCode::kUsage)
        << text;
  }
}

}  // namespace
}  // namespace ranksight::online_model
