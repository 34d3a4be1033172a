#include "cli/look/simulation_cost.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace ranksight::cli {
namespace {

using replay_engine::MeterStop;
using replay_engine::ReplayMeter;

ReplayMeter Stopped(MeterStop stop) {
  ReplayMeter meter;
  meter.all_events = 1000;
  meter.limit_s = 20;
  meter.events = 100;
  meter.start_s = meter.from_s = 2;
  meter.spent_s = 5;
  meter.memory_bytes = 3e9;
  meter.stop = stop;
  return meter;
}

void ExpectIn(const std::string& part, const std::string& text) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(SimulationCost, AnEstimateSaysFromWhatAndThatItIsOne) {
  const ReplayMeter meter = Stopped(MeterStop::kEnough);
  const std::string text = CostText(meter, 64, 5e9);
  ExpectIn("about 32.0 s of processor time and 3 GB to 5 GB of memory", text);
  ExpectIn("64 ranks, 1000 events\n", text);
  ExpectIn("estimated from the first 10 % of the events (3.00 s, after 2.00 s",
           text);
  const auto json = nlohmann::json::parse(CostJson(meter, 64, 5e9));
  EXPECT_EQ(json["estimate"], true);
  EXPECT_DOUBLE_EQ(json["processor_seconds"], 32);
  EXPECT_EQ(json["memory_bytes"], 3'000'000'000);
  EXPECT_EQ(json["most_memory_bytes"], 5'000'000'000);
  EXPECT_DOUBLE_EQ(json["measured"]["share"], 0.1);
  EXPECT_DOUBLE_EQ(json["measured"]["processor_seconds"], 5);
}

TEST(SimulationCost, TheWholeIsNoEstimate) {
  ReplayMeter meter = Stopped(MeterStop::kNone);
  meter.events = meter.all_events;
  const std::string text = CostText(meter, 64, 5e9);
  ExpectIn("5.00 s of processor time", text);
  EXPECT_EQ(text.find("about"), std::string::npos) << text;
  const auto json = nlohmann::json::parse(CostJson(meter, 64, 5e9));
  EXPECT_EQ(json["estimate"], false);
  EXPECT_DOUBLE_EQ(json["processor_seconds"], 5);
}

TEST(SimulationCost, BeyondTheLimitSaysHowFarItCame) {
  ExpectIn(
      "would take about 32.0 s of processor time, more than --limit 20: "
      "estimated from the first 10 %",
      BeyondLimitText(Stopped(MeterStop::kEstimateBeyond)));
  ReplayMeter meter = Stopped(MeterStop::kLimit);
  ExpectIn("ended after 5.00 s of processor time (--limit 20), with 10 % of",
           BeyondLimitText(meter));
  meter.events = meter.start_s = 0;
  ExpectIn("before its first event", BeyondLimitText(meter));
}

}  // namespace
}  // namespace ranksight::cli
