#include "online_model/walk/traffic.h"

#include <gtest/gtest.h>

#include "online_model/walk/rounds.h"

namespace ranksight::online_model {
namespace {

constexpr double kHop = 1e-6, kByte = 1e-9, kBytes = 1000;

// A ring of n nodes, a rank on each.
Network Ring(const char* n) {
  std::string reason;
  const auto machine = bgq_support::Machine::Parse(n, &reason);
  EXPECT_TRUE(machine) << reason;
  const auto mapping = bgq_support::Mapping::FromOrder(
      *machine, machine->torus.nodes(), 1, "", &reason);
  EXPECT_TRUE(mapping) << reason;
  Network network;
  network.links = TorusLinks(*machine, *mapping, {});
  network.hop = kHop;
  network.byte = network.link_byte = kByte;
  network.eager_limit = 1e9;
  network.stage.fill(1);
  network.volume.fill(1);
  return network;
}

TEST(Traffic, AMessageAloneTakesItsHopsAndItsBytes) {
  const Network ring = Ring("16");
  Traffic traffic(ring);
  EXPECT_NEAR(traffic.Travel(2, 7, 1e-3, kBytes),
              1e-3 + 5 * kHop + kBytes * kByte, 1e-12);
}

TEST(Traffic, WhoComesToALinkLaterWaitsForThoseBefore) {
  const Network ring = Ring("16");
  Traffic traffic(ring);
  const double first = traffic.Travel(0, 1, 0, kBytes);
  EXPECT_NEAR(traffic.Travel(0, 1, 0, kBytes), first + kBytes * kByte, 1e-12);
}

// The message from afar is on its way when the near one comes, and is at the
// link that both take when that one is long gone.
TEST(Traffic, WhoComesToALinkSoonerNeedNotWaitForWhoLeftBefore) {
  const Network ring = Ring("16");
  Traffic traffic(ring);
  traffic.Travel(0, 6, 0, kBytes);
  const double start = 1e-7;
  EXPECT_NEAR(traffic.Travel(5, 6, start, kBytes),
              start + kHop + kBytes * kByte, 1e-12);
}

TEST(Traffic, LongMessagesHaveALatencyOfTheirOwn) {
  Network ring = Ring("16");
  ring.long_latency = 3;
  const double bytes = Network::kLong + 1;
  Traffic traffic(ring);
  EXPECT_NEAR(traffic.Travel(0, 4, 0, bytes), 3 * 4 * kHop + bytes * kByte,
              1e-12);
  EXPECT_NEAR(traffic.Travel(8, 12, 0, kBytes), 4 * kHop + kBytes * kByte,
              1e-12);
}

std::vector<RoundMember> Members(uint32_t n) {
  std::vector<RoundMember> members;
  for (uint32_t r = 0; r < n; ++r) members.push_back({r, 0});
  return members;
}

// Without bytes nobody waits: in round k partners are 2^k apart, and half the
// ring at most.
TEST(Rounds, ATreeOnARingTakesTheDistancesOfItsRounds) {
  const Network ring = Ring("16");
  Traffic traffic(ring);
  auto members = Members(16);
  ASSERT_TRUE(InRounds(ring.links.get(), CollectiveForm::kTree, 16));
  WalkRounds(ring, CollectiveForm::kTree, 0, &traffic, &members);
  for (const RoundMember& m : members) {
    EXPECT_NEAR(m.clock, (1 + 2 + 4 + 8) * kHop, 1e-12);
  }
}

// Partners in a round differ in the bits of its number: on a ring of four, one
// hop apart in the first, two in the second, and one again in the third.
TEST(Rounds, AnExchangeOfAllWithAllTakesTheDistancesToAll) {
  const Network ring = Ring("4");
  Traffic traffic(ring);
  auto members = Members(4);
  WalkRounds(ring, CollectiveForm::kAlltoall, 0, &traffic, &members);
  for (const RoundMember& m : members) EXPECT_NEAR(m.clock, 4 * kHop, 1e-12);
}

// Three that do not pair up, on a ring of three: all are one hop away.
TEST(Rounds, AnOddNumberSendsRoundTheRing) {
  const Network ring = Ring("3");
  Traffic traffic(ring);
  auto members = Members(3);
  WalkRounds(ring, CollectiveForm::kAlltoall, 3 * kBytes, &traffic, &members);
  for (const RoundMember& m : members) {
    EXPECT_NEAR(m.clock, 2 * (kHop + kBytes * kByte), 1e-12);
  }
}

TEST(Rounds, WhoComesLateHoldsUpItsPartners) {
  const Network ring = Ring("4");
  Traffic traffic(ring);
  auto members = Members(4);
  members[3].clock = 1e-3;
  WalkRounds(ring, CollectiveForm::kTree, 8, &traffic, &members);
  for (uint32_t r = 0; r < 3; ++r) EXPECT_GT(members[r].clock, 1e-3) << r;
}

TEST(Rounds, TooManyMessagesOrNoLinksTakeTheFormula) {
  const Network ring = Ring("16");
  const auto all = CollectiveForm::kAlltoall;
  EXPECT_TRUE(InRounds(ring.links.get(), all, 512));
  EXPECT_FALSE(InRounds(ring.links.get(), all, 513));
  EXPECT_FALSE(InRounds(ring.links.get(), CollectiveForm::kFanOut, 4));
  EXPECT_FALSE(InRounds(nullptr, CollectiveForm::kTree, 4));
}

}  // namespace
}  // namespace ranksight::online_model
