#include "cli/look/simulation_needs.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/base/json.h"
#include "tests/unit/reduction/sample_trace.h"

namespace ranksight::cli {
namespace {

SimulationNeeds Needed(int64_t ranks, double seconds_low, double memory_low) {
  SimulationNeeds needs;
  needs.ranks = ranks;
  needs.seconds_range = {seconds_low, 9 * seconds_low};
  needs.memory = {memory_low, 2 * memory_low};
  needs.mappings = 8 * double(ranks);
  return needs;
}

TEST(SimulationNeeds, WhatIsNotThereIsTheReason) {
  const SimulationNeeds needs = Needed(1000, 1, 2e9);
  EXPECT_EQ(WhyTooLarge(needs, {3e9, 65530}), "");
  // Nobody knows how much there is.
  EXPECT_EQ(WhyTooLarge(needs, {}), "");
  EXPECT_NE(WhyTooLarge(needs, {1e9, 65530}).find("at least 2 GB of memory"),
            std::string::npos);
  EXPECT_NE(WhyTooLarge(needs, {3e9, 7999}).find("vm.max_map_count"),
            std::string::npos);
  EXPECT_EQ(WhyTooLong(needs, 2), "");
  EXPECT_NE(WhyTooLong(needs, 0.5).find("at least 1.00 s"), std::string::npos);
}

// A ring in which all meet after every `between` messages of a rank; 0: never.
SimulationNeeds OfRing(int64_t ranks, int messages, int between) {
  const auto sample =
      reduction::MakeSample(ranks, [&](int64_t rank, reduction::Script* s) {
        for (int i = 0; i < messages; ++i) {
          s->Send(10, (rank + 1) % ranks, 1000);
          s->Recv(11, (rank + ranks - 1) % ranks, 1000);
          if (between > 0 && (i + 1) % between == 0) {
            s->Add(reduction::Call::MPI_Barrier_, 12, {});
          }
        }
      });
  const auto needs = NeedsOf(sample.trace, 1000);
  EXPECT_TRUE(needs.ok()) << needs.status().message();
  return *needs;
}

TEST(SimulationNeeds, MessagesAreHeldUntilAllMeet) {
  const SimulationNeeds never = OfRing(8, 120, 0), often = OfRing(8, 120, 10);
  EXPECT_EQ(never.messages, 8 * 120);
  // A barrier is two messages of each.
  EXPECT_EQ(often.messages, 8 * (120 + 2 * 12));
  EXPECT_DOUBLE_EQ(never.memory.low, often.memory.low);
  // 8,000 bytes each, and what stands beside them.
  const double each = (never.memory.high - often.memory.high) / (8 * 110);
  EXPECT_GE(each, 8000);
  EXPECT_LE(each, 16000);
  EXPECT_GT(OfRing(8, 240, 0).memory.high, never.memory.high);
  EXPECT_DOUBLE_EQ(OfRing(8, 240, 10).memory.high, often.memory.high);
}

TEST(SimulationNeeds, ThisMachineHasMemory) {
  EXPECT_GT(RoomHere().memory, 1e6);
  EXPECT_GE(RoomHere().mappings, 0);
}

TEST(SimulationNeeds, AreSaidAndWrittenAlike) {
  SimulationNeeds needs = Needed(64, 2, 3e9);
  needs.seconds = 6;
  needs.events = 100;
  EXPECT_EQ(NeedsText(needs),
            "about 6.00 s of processor time (2.00 s to 18.0 s) and 3 GB to "
            "6 GB of memory for 64 ranks, 100 events");
  JsonWriter json;
  AddNeeds(needs, &json);
  const auto read = nlohmann::json::parse(json.text());
  EXPECT_EQ(read["processor_seconds_range"][1], 18);
  EXPECT_EQ(read["memory_bytes_range"][0], 3e9);
}

}  // namespace
}  // namespace ranksight::cli
