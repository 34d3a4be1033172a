#include "bgq_support/api/load.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <random>
#include <string>

#include "tests/unit/bgq_support/brute_force.h"
#include "tests/unit/bgq_support/mixed_traffic.h"

namespace ranksight::bgq_support {
namespace {

Mapping Default(const Machine& machine, int64_t ranks, int per_node) {
  std::string reason;
  return *Mapping::FromOrder(machine, ranks, per_node, "", &reason);
}

const char* const kRoutedShapes[] = {
    "1",     "2",      "7",     "5m",      "4x3",       "4mx4",      "2x2m",
    "3x4x5", "3mx1x6", "4x4x4", "2x2x4x2", "2x2x4x4x2", "4x2mx3x3x2"};

class EveryMessage : public testing::TestWithParam<Engine> {};

TEST_P(EveryMessage, WalkedGivesTheSameLoadsToTheBit) {
  if (GetParam() == Engine::kKokkos && !HasKokkos()) GTEST_SKIP();
  std::mt19937_64 random(20);
  for (const char* shape : kRoutedShapes) {
    std::string reason;
    const Machine machine = *Machine::Parse(shape, &reason);
    const int64_t ranks = machine.torus.nodes() * 3 - 1;
    const Mapping mapping = Default(machine, ranks, 3);
    const Traffic traffic = MixedTraffic(ranks, &random);
    for (const char* zone : {"0", "1", "2", "3", "0+", "1+", "2+", "3+"}) {
      const Routing routing = *Routing::Parse(zone);
      const auto loads =
          ComputeLoads(machine, mapping, routing, traffic, GetParam(), &reason);
      ASSERT_TRUE(loads.has_value()) << reason;
      ASSERT_EQ(loads->load, WalkEveryMessage(machine, mapping, routing,
                                              traffic, loads->scale))
          << shape << " zone " << zone;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Load, EveryMessage,
                         testing::Values(Engine::kThreads, Engine::kKokkos),
                         [](const auto& engine) {
                           return engine.param == Engine::kThreads ? "OnThreads"
                                                                   : "InKokkos";
                         });

TEST(Load, ManyPiecesOnManyThreadsGiveTheSame) {
  std::string reason;
  const Machine machine = *Machine::Parse("4x4x4x4x2", &reason);
  const Mapping mapping = Default(machine, 16384, 32);
  Traffic traffic;
  for (int64_t s = 1; s < 40; ++s) {
    traffic.flows.push_back({0, 1, s, 1, 16384 - s, uint64_t(s) * 1000});
  }
  const Routing routing;
  const auto loads = ComputeLoads(machine, mapping, routing, traffic,
                                  Engine::kThreads, &reason);
  ASSERT_TRUE(loads.has_value());
  EXPECT_EQ(loads->load,
            WalkEveryMessage(machine, mapping, routing, traffic, loads->scale));
}

TEST(Load, ARingOfNeighboursLoadsEachLinkOnce) {
  std::string reason;
  const Machine machine = *Machine::Parse("8", &reason);
  Traffic traffic;
  traffic.flows = {{0, 1, 1, 1, 7, 100}, {7, 1, 0, 1, 1, 100}};
  const auto loads = ComputeLoads(machine, Default(machine, 8, 1), {}, traffic,
                                  Engine::kAuto, &reason);
  EXPECT_EQ(loads->MaxBytes(), 100);
  EXPECT_EQ(loads->HopBytes(), 800);
  EXPECT_EQ(loads->sent_bytes, 800u);
  EXPECT_EQ(loads->local_bytes, 0u);
}

TEST(Load, MessagesWithinANodeLoadNoLink) {
  std::string reason;
  const Machine machine = *Machine::Parse("4x4", &reason);
  Traffic traffic;
  traffic.flows = {{0, 4, 1, 4, 16, 10}};
  traffic.exchanges = {{{0, 1, 2, 3}, 5}};
  const auto loads = ComputeLoads(machine, Default(machine, 64, 4), {}, traffic,
                                  Engine::kAuto, &reason);
  EXPECT_EQ(loads->MaxBytes(), 0);
  EXPECT_EQ(loads->local_bytes, 160u + 12 * 5);
  EXPECT_EQ(loads->sent_bytes, loads->local_bytes);
}

#ifdef __GLIBC__
// While it lives no thread starts: there is no room for its stack.
class NoThreads {
 public:
  NoThreads() {
    pthread_getattr_default_np(&before_);
    pthread_attr_t huge = before_;
    pthread_attr_setstacksize(&huge, size_t{1} << 50);
    pthread_setattr_default_np(&huge);
  }
  ~NoThreads() { pthread_setattr_default_np(&before_); }

 private:
  pthread_attr_t before_;
};

TEST(Load, WhereNoThreadStartsItIsTheSame) {
  std::string reason;
  const Machine machine = *Machine::Parse("8x8", &reason);
  const Mapping mapping = Default(machine, 64, 1);
  Traffic traffic;
  for (int64_t shift = 1; shift < 64; ++shift) {
    traffic.flows.push_back({0, 1, shift, 1, 64 - shift, 100});
  }
  const auto loads = [&] {
    return ComputeLoads(machine, mapping, {}, traffic, Engine::kThreads,
                        &reason)
        ->load;
  };
  const std::vector<uint64_t> expected = loads();
  const NoThreads none;
  EXPECT_EQ(loads(), expected);
}
#endif

TEST(Load, TheBusiestLinkNeedsItsBytesByItsBandwidth) {
  std::string reason;
  Machine machine = *Machine::Parse("4m", &reason);
  machine.bandwidth = 100;
  Traffic traffic;
  traffic.flows = {{0, 1, 1, 1, 3, 100}};
  const auto loads = ComputeLoads(machine, Default(machine, 4, 1), {}, traffic,
                                  Engine::kAuto, &reason);
  EXPECT_EQ(loads->MaxSeconds(machine), 1);
  machine.bandwidth = 50;
  EXPECT_EQ(loads->MaxSeconds(machine), 2);
}

TEST(Load, WhatCannotBeExactIsRefused) {
  std::string reason;
  const Machine machine = *Machine::Parse("4", &reason);
  const Mapping mapping = Default(machine, 4, 1);
  const auto refused = [&](const Traffic& traffic) {
    return !ComputeLoads(machine, mapping, {}, traffic, Engine::kAuto, &reason);
  };
  EXPECT_TRUE(refused({{{0, 1, 1, 1, 4, 8}}, {}}));
  EXPECT_TRUE(refused({{{0, 1, 1, 1, 0, 8}}, {}}));
  EXPECT_TRUE(refused({{{0, 1, 0, -1, 2, 8}}, {}}));
  EXPECT_TRUE(refused({{{0, int64_t{1} << 62, 0, 0, 8, 8}}, {}}));
  EXPECT_TRUE(refused({{}, {{{0, 4}, 8}}}));
  EXPECT_TRUE(refused({{{0, 1, 1, 1, 3, uint64_t{1} << 62}}, {}}));
}

}  // namespace
}  // namespace ranksight::bgq_support
