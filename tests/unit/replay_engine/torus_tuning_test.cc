#include "replay_engine/schedule/torus_tuning.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace ranksight::replay_engine {
namespace {

using bgq_support::Machine;
using bgq_support::Mapping;

Placement OneRankANode(const std::string& shape, int per_node = 1) {
  std::string reason;
  Machine machine = *Machine::Parse(shape, &reason);
  machine.bandwidth = 1e9;  // a byte a nanosecond
  const int64_t ranks = int64_t{machine.torus.nodes()} * per_node;
  Mapping mapping = *Mapping::FromOrder(machine, ranks, per_node, "", &reason);
  return {std::move(machine), std::move(mapping)};
}

std::vector<uint32_t> Order(std::span<const Turn> turns) {
  std::vector<uint32_t> order;
  for (const Turn& t : turns) order.push_back(t.send);
  return order;
}

std::vector<int64_t> Starts(std::span<const Turn> turns) {
  std::vector<int64_t> starts;
  for (const Turn& t : turns) starts.push_back(t.start_ns);
  return starts;
}

// Ranks of an 8x8 torus from rank 0: 8 i + j lies i along A and j along B.
TEST(TorusTuning, SendsOverOtherLinksComeNext) {
  const Placement placement = OneRankANode("8x8");
  TorusTuning tuning(placement, {.order = true}, 0);
  // Two and one up in B, then two and one up in A.
  const std::vector<Send> sends = {
      {2, 0, 100}, {1, 0, 100}, {16, 0, 100}, {8, 0, 100}};
  EXPECT_EQ(Order(tuning.Plan(0, sends)), (std::vector<uint32_t>{2, 0, 3, 1}));
}

TEST(TorusTuning, AllRanksTakeDirectionsInTheSameOrder) {
  const Placement placement = OneRankANode("4x4");
  for (int64_t rank = 0; rank < 16; ++rank) {
    TorusTuning tuning(placement, {.order = true}, rank);
    const int64_t a = rank / 4, b = rank % 4;
    std::vector<Send> sends = {{(a + 1) % 4 * 4 + b, 0, 10},
                               {(a + 3) % 4 * 4 + b, 0, 10},
                               {a * 4 + (b + 1) % 4, 0, 10},
                               {a * 4 + (b + 3) % 4, 0, 10}};
    const std::vector<Send> straight = sends;
    std::mt19937 random(uint32_t(rank) + 1);
    std::shuffle(sends.begin(), sends.end(), random);
    std::vector<int64_t> peers;
    for (const uint32_t i : Order(tuning.Plan(0, sends))) {
      peers.push_back(sends[i].peer);
    }
    // Down before up, A before B.
    EXPECT_EQ(peers,
              (std::vector<int64_t>{straight[1].peer, straight[0].peer,
                                    straight[3].peer, straight[2].peer}));
  }
}

TEST(TorusTuning, BalancesInjectionOverLinks) {
  const Placement placement = OneRankANode("8x8");
  TorusTuning tuning(placement, {.balance = true}, 0);
  // Three over B up, of which one weighs as much as both over A up.
  const std::vector<Send> sends = {
      {1, 0, 200}, {2, 0, 100}, {3, 0, 100}, {8, 0, 100}, {16, 0, 100}};
  EXPECT_EQ(Order(tuning.Plan(0, sends)),
            (std::vector<uint32_t>{0, 3, 4, 1, 2}));
}

TEST(TorusTuning, PacesByWhatTheLinksOfADirectionCarry) {
  const Placement placement = OneRankANode("8x8");
  TorusTuning tuning(placement, {.pace = true}, 0);
  // Three hops of 100 bytes from all ranks: 300 bytes on each link up in B.
  const std::vector<Send> sends = {{3, 0, 100}, {8, 0, 50}, {1, 0, 10}};
  const auto turns = tuning.Plan(0, sends);
  EXPECT_EQ(Order(turns), (std::vector<uint32_t>{0, 1, 2}));
  EXPECT_EQ(Starts(turns), (std::vector<int64_t>{0, 0, 300}));
}

TEST(TorusTuning, RanksOfANodeShareItsLinks) {
  const Placement placement = OneRankANode("8x8", 2);
  TorusTuning tuning(placement, {.pace = true}, 0);
  const std::vector<Send> sends = {{2, 0, 100}, {2, 0, 100}};
  EXPECT_EQ(Starts(tuning.Plan(0, sends)), (std::vector<int64_t>{0, 200}));
}

TEST(TorusTuning, KeepsTheOrderToEachDestination) {
  const Placement placement = OneRankANode("4x4x4");
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const Tuning tuning{.order = round % 2 == 0,
                        .balance = round % 3 == 0,
                        .pace = round % 5 == 0};
    TorusTuning planner(placement, tuning, int64_t(random() % 64));
    std::vector<Send> sends(random() % 40);
    for (Send& s : sends) {
      s = {int64_t(random() % 9) - 1, int64_t(random() % 2),
           int64_t(random() % 1000)};
    }
    const auto turns = planner.Plan(0, sends);
    std::vector<bool> seen(sends.size());
    int64_t last = 0;
    for (const Turn& turn : turns) {
      ASSERT_FALSE(seen[turn.send]);
      for (uint32_t i = 0; i < turn.send; ++i) {
        if (sends[i].peer == sends[turn.send].peer &&
            sends[i].comm == sends[turn.send].comm) {
          ASSERT_TRUE(seen[i]);
        }
      }
      seen[turn.send] = true;
      EXPECT_GE(turn.start_ns, last);
      last = turn.start_ns;
    }
    ASSERT_EQ(turns.size(), sends.size());
  }
}

}  // namespace
}  // namespace ranksight::replay_engine
