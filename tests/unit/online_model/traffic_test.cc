#include "online_model/walk/traffic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "online_model/walk/rounds.h"

namespace ranksight::online_model {
namespace {

constexpr double kHop = 1e-6, kByte = 1e-9, kBytes = 1000;

// A ring of n nodes, a rank on each.
Network Ring(const char* n) {
  std::string reason;
  const auto ring =
      bgq_support::Network::Parse(std::string("torus:") + n, &reason);
  EXPECT_TRUE(ring) << reason;
  const auto mapping = PlaceInOrder(*ring, ring->nodes(), 1, &reason);
  EXPECT_TRUE(mapping) << reason;
  Network network;
  network.links = NetworkLinks(*ring, *mapping);
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
  EXPECT_NEAR(traffic.ArrivalOf(traffic.Travel(2, 7, 1e-3, kBytes)),
              1e-3 + 5 * kHop + kBytes * kByte, 1e-12);
}

TEST(Traffic, WhoComesToALinkLaterWaitsForThoseBefore) {
  const Network ring = Ring("16");
  Traffic traffic(ring);
  const double first = traffic.ArrivalOf(traffic.Travel(0, 1, 0, kBytes));
  EXPECT_NEAR(traffic.ArrivalOf(traffic.Travel(0, 1, 0, kBytes)),
              first + kBytes * kByte, 1e-12);
}

// The message from afar is on its way when the near one comes, and is at the
// link that both take when that one is long gone.
TEST(Traffic, WhoComesToALinkSoonerNeedNotWaitForWhoLeftBefore) {
  const Network ring = Ring("16");
  Traffic traffic(ring);
  traffic.Travel(0, 6, 0, kBytes);
  const double start = 1e-7;
  EXPECT_NEAR(traffic.ArrivalOf(traffic.Travel(5, 6, start, kBytes)),
              start + kHop + kBytes * kByte, 1e-12);
}

// Of which times were measured, on one line for all lengths.
Network SharedRing(const char* n) {
  Network network = Ring(n);
  const std::vector<AtBytes> times = {{1000, 2e-6}, {2000, 3e-6}};
  network.curve = std::make_shared<MessageCurve>(times);
  return network;
}

TEST(SharedTraffic, AMessageAloneTakesItsHopsAndItsBytes) {
  const Network ring = SharedRing("16");
  Traffic traffic(ring);
  EXPECT_NEAR(traffic.ArrivalOf(traffic.Travel(2, 7, 1e-3, kBytes)),
              1e-3 + 5 * kHop + kBytes * kByte, 1e-12);
}

TEST(SharedTraffic, MessagesThatLeaveTogetherShareALinkAndAreThereTogether) {
  const Network ring = SharedRing("16");
  Traffic traffic(ring);
  std::vector<Traffic::Flight> flights;
  for (int i = 0; i < 5; ++i)
    flights.push_back(traffic.Travel(0, 1, 0, kBytes));
  for (const auto flight : flights) {
    EXPECT_NEAR(traffic.ArrivalOf(flight), kHop + 5 * kBytes * kByte, 1e-12);
  }
}

// A quarter of it is through when the other one comes, which is half as long.
TEST(SharedTraffic, AShortMessageIsNotHeldUpUntilALongOneIsThrough) {
  const Network ring = SharedRing("16");
  Traffic traffic(ring);
  const double all = kBytes * kByte;
  const auto is_long = traffic.Travel(0, 1, 0, kBytes);
  const auto is_short = traffic.Travel(0, 1, all / 4, kBytes / 2);
  EXPECT_NEAR(traffic.ArrivalOf(is_short), all / 4 + kHop + all, 1e-12);
  EXPECT_NEAR(traffic.ArrivalOf(is_long), kHop + 1.5 * all, 1e-12);
}

// They meet on both links of the way of one, and on one link of the other's.
TEST(SharedTraffic, WhoIsMetOnTwoLinksIsDelayedOnce) {
  const Network ring = SharedRing("16");
  Traffic traffic(ring);
  const auto one = traffic.Travel(0, 2, 0, kBytes);
  const auto other = traffic.Travel(0, 2, 0, kBytes);
  EXPECT_NEAR(traffic.ArrivalOf(one), 2 * kHop + 2 * kBytes * kByte, 1e-12);
  EXPECT_NEAR(traffic.ArrivalOf(other), traffic.ArrivalOf(one), 1e-12);
}

// What is through when another one leaves does not delay it.
TEST(SharedTraffic, WhoLeavesWhenALinkIsFreeHasItAlone) {
  const Network ring = SharedRing("16");
  Traffic traffic(ring);
  const double all = kBytes * kByte;
  const auto one = traffic.Travel(0, 6, 0, kBytes);
  const auto other = traffic.Travel(5, 6, all, kBytes);
  EXPECT_NEAR(traffic.ArrivalOf(one), 6 * kHop + all, 1e-12);
  EXPECT_NEAR(traffic.ArrivalOf(other), all + kHop + all, 1e-12);
}

// Fair sharing step by step: who is on the link has as much of it as the
// others.
std::vector<double> Shared(const std::vector<double>& start,
                           std::vector<double> left) {
  std::vector<double> there(start.size());
  const double step = 1e-9;
  size_t through = 0;
  for (double now = 0; through < start.size(); now += step) {
    std::vector<size_t> on;
    for (size_t i = 0; i < start.size(); ++i) {
      if (start[i] <= now && left[i] > 0) on.push_back(i);
    }
    for (const size_t i : on) {
      left[i] -= step / double(on.size());
      if (left[i] > 0) continue;
      there[i] = now + step;
      ++through;
    }
  }
  return there;
}

TEST(SharedTraffic, OneLinkIsSharedFairly) {
  const Network ring = SharedRing("16");
  std::mt19937 random(1);
  for (int run = 0; run < 30; ++run) {
    Traffic traffic(ring);
    std::vector<double> start, busy;
    std::vector<Traffic::Flight> flights;
    double now = 0;
    for (int i = 0; i < 12; ++i) {
      now += 1e-9 * double(random() % 1500);
      start.push_back(now);
      const double bytes = 100 + double(random() % 2000);
      busy.push_back(bytes * kByte);
      flights.push_back(traffic.Travel(0, 1, now, bytes));
    }
    const std::vector<double> truth = Shared(start, busy);
    double off = 0, all = 0;
    for (size_t i = 0; i < flights.size(); ++i) {
      off += std::abs(traffic.ArrivalOf(flights[i]) - kHop - truth[i]);
      all += truth[i] - start[i];
    }
    EXPECT_LT(off, 0.002 * all) << run;
  }
}

TEST(Traffic, LongMessagesHaveALatencyOfTheirOwn) {
  Network ring = Ring("16");
  ring.long_latency = 3;
  const double bytes = Network::kLong + 1;
  Traffic traffic(ring);
  EXPECT_NEAR(traffic.ArrivalOf(traffic.Travel(0, 4, 0, bytes)),
              3 * 4 * kHop + bytes * kByte, 1e-12);
  EXPECT_NEAR(traffic.ArrivalOf(traffic.Travel(8, 12, 0, kBytes)),
              4 * kHop + kBytes * kByte, 1e-12);
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

// Of five the first hands its part to the second, and four double: 1 and 2, and
// 3 and 4, are one hop apart on a ring of five, 1 and 3, and 2 and 4, two. What
// the first gave comes to the second late, and so to its partners.
TEST(Rounds, ATreeOfNoPowerOfTwoFoldsItsFirstPairs) {
  const Network ring = Ring("5");
  Traffic traffic(ring);
  auto members = Members(5);
  WalkRounds(ring, CollectiveForm::kTree, 0, &traffic, &members);
  const double hops[] = {4, 3, 3, 3, 4};
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(members[i].clock, hops[i] * kHop, 1e-12) << i;
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
