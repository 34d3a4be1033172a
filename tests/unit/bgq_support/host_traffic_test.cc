#include "bgq_support/api/host_traffic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace ranksight::bgq_support {
namespace {

struct Message {
  int64_t from, to;
  uint64_t bytes;
};

std::vector<Message> Messages(const Traffic& traffic) {
  std::vector<Message> all;
  for (const Flow& f : traffic.flows) {
    for (int64_t i = 0; i < f.count; ++i) {
      all.push_back(
          {f.rank + i * f.stride, f.peer + i * f.peer_stride, f.bytes});
    }
  }
  for (const Exchange& e : traffic.exchanges) {
    for (const int64_t from : e.members) {
      for (const int64_t to : e.members) {
        if (from != to) all.push_back({from, to, e.bytes});
      }
    }
  }
  return all;
}

// Message by message, with packages of 2 cores, 2 a host.
HostTraffic Slow(int hosts, const Mapping& mapping, const Traffic& traffic) {
  HostTraffic sum;
  sum.hosts.resize(size_t(hosts));
  for (const Place& p : mapping.places()) ++sum.hosts[size_t(p.node)].ranks;
  for (const Message& m : Messages(traffic)) {
    const Place& a = mapping.places()[size_t(m.from)];
    const Place& b = mapping.places()[size_t(m.to)];
    sum.all += m.bytes;
    if (a.node != b.node) {
      sum.hosts[size_t(a.node)].sent += m.bytes;
      sum.hosts[size_t(b.node)].received += m.bytes;
      continue;
    }
    sum.within_hosts += m.bytes;
    sum.hosts[size_t(a.node)].within += m.bytes;
    if (a.slot / 2 % 2 == b.slot / 2 % 2) sum.within_packages += m.bytes;
  }
  return sum;
}

constexpr int kHosts = 5;
const PackageRule kTwoByTwo{{2, 2}, false};

Mapping RandomMapping(int ranks, std::mt19937* random) {
  std::vector<Place> places;
  std::vector<int> used(kHosts, 0);
  for (int i = 0; i < ranks; ++i) {
    const auto host = (*random)() % kHosts;
    places.push_back({int32_t(host), used[host]++});
  }
  return Mapping(std::move(places));
}

Traffic RandomTraffic(int64_t ranks, std::mt19937* random) {
  const auto below = [&](int64_t n) {
    return int64_t((*random)() % size_t(n));
  };
  Traffic traffic;
  for (int i = 0; i < 20; ++i) {
    Flow flow{below(ranks), 1, below(ranks), 1, 1, uint64_t(below(1000))};
    flow.count = 1 + below(ranks - std::max(flow.rank, flow.peer));
    traffic.flows.push_back(flow);
  }
  for (int i = 0; i < 3; ++i) {
    Exchange exchange;
    for (int64_t rank = 0; rank < ranks; ++rank) {
      if (below(2) == 0) exchange.members.push_back(rank);
    }
    std::shuffle(exchange.members.begin(), exchange.members.end(), *random);
    exchange.bytes = uint64_t(below(100));
    traffic.exchanges.push_back(std::move(exchange));
  }
  return traffic;
}

TEST(HostTraffic, SumsAreThoseOfEveryMessage) {
  std::mt19937 random(3);
  std::string reason;
  for (int round = 0; round < 50; ++round) {
    const int ranks = 2 + int(random() % 20);
    const Mapping mapping = RandomMapping(ranks, &random);
    const Traffic traffic = RandomTraffic(ranks, &random);
    const auto found =
        ComputeHostTraffic(kHosts, mapping, kTwoByTwo, traffic, &reason);
    ASSERT_TRUE(found.has_value()) << reason;
    const HostTraffic slow = Slow(kHosts, mapping, traffic);
    EXPECT_EQ(found->hosts, slow.hosts);
    EXPECT_EQ(found->all, slow.all);
    EXPECT_EQ(found->within_hosts, slow.within_hosts);
    EXPECT_EQ(found->within_packages, slow.within_packages);
  }
}

TEST(HostTraffic, PairsAreThoseOfEveryMessage) {
  std::mt19937 random(4);
  for (int round = 0; round < 20; ++round) {
    const Mapping mapping = RandomMapping(12, &random);
    const Traffic traffic = RandomTraffic(12, &random);
    std::vector<uint64_t> slow(kHosts * kHosts, 0);
    for (const Message& m : Messages(traffic)) {
      slow[size_t(mapping.places()[size_t(m.from)].node * kHosts +
                  mapping.places()[size_t(m.to)].node)] += m.bytes;
    }
    EXPECT_EQ(HostPairs(kHosts, mapping, traffic), slow);
  }
}

TEST(HostTraffic, RanksThatFollowTheirHostsFileTakeItsSlotsInOrder) {
  // Ranks 0 and 3 on the first package by their places, on both by their order.
  const Mapping given({{0, 0}, {0, 3}, {0, 2}, {0, 1}});
  const Traffic traffic{{{0, 0, 3, 0, 1, 100}}, {}};
  std::string reason;
  PackageRule rule = kTwoByTwo;
  const auto between = [&] {
    return ComputeHostTraffic(1, given, rule, traffic, &reason)
        ->between_packages();
  };
  EXPECT_EQ(between(), 0u);
  rule.by_rank = true;
  EXPECT_EQ(between(), 100u);
}

TEST(HostTraffic, WhatDoesNotFitIsRefused) {
  std::string reason;
  const Mapping two({{0, 0}, {1, 0}});
  const Traffic outside{{{0, 0, 2, 0, 1, 8}}, {}};
  EXPECT_FALSE(ComputeHostTraffic(2, two, {}, outside, &reason));
  EXPECT_EQ(reason, "messages of ranks outside the mapping's 2");
  const Flow much{0, 0, 1, 0, 1, UINT64_MAX};
  EXPECT_FALSE(ComputeHostTraffic(2, two, {}, {{much, much}, {}}, &reason));
  EXPECT_EQ(reason, "too many bytes to count");
}

// Each rank to its neighbours in a periodic box, the last length fastest.
Traffic Box(const std::vector<int64_t>& lengths) {
  int64_t ranks = 1;
  for (const int64_t length : lengths) ranks *= length;
  Traffic traffic;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    int64_t step = 1;
    for (size_t d = lengths.size(); d-- > 0; step *= lengths[d]) {
      const int64_t at = rank / step % lengths[d];
      for (const int64_t way : {int64_t{1}, lengths[d] - 1}) {
        const int64_t peer = rank + ((at + way) % lengths[d] - at) * step;
        traffic.flows.push_back({rank, 0, peer, 0, 1, 100});
      }
    }
  }
  return traffic;
}

Mapping Block(int64_t ranks, int32_t per_host) {
  std::vector<Place> places;
  for (int32_t i = 0; i < ranks; ++i) {
    places.push_back({i / per_host, i % per_host});
  }
  return Mapping(std::move(places));
}

// Every place of `given` is taken once.
void ExpectSamePlaces(const Mapping& given, const Mapping& found) {
  const auto sorted = [](const Mapping& mapping) {
    std::vector<std::pair<int, int>> places;
    for (const Place& p : mapping.places()) places.emplace_back(p.node, p.slot);
    std::sort(places.begin(), places.end());
    return places;
  };
  EXPECT_EQ(sorted(given), sorted(found));
}

HostPlacement Better(int hosts, const Mapping& given, const PackageRule& rule,
                     const Traffic& traffic) {
  std::string reason;
  auto found = PlaceBetter(hosts, given, rule, traffic, {}, &reason);
  EXPECT_TRUE(found.has_value()) << reason;
  ExpectSamePlaces(given, found->mapping);
  const auto again =
      ComputeHostTraffic(hosts, found->mapping, rule, traffic, &reason);
  EXPECT_EQ(again->hosts, found->traffic.hosts);
  return std::move(*found);
}

TEST(PlaceBetter, ABoxIsCutIntoCubes) {
  // 8 ranks a host of 8x8x8: cubes of 2x2x2 have 24 faces outside, the least
  // that eight ranks can have; packages of four squares of 2x2.
  const Traffic traffic = Box({8, 8, 8});
  const HostPlacement found =
      Better(64, Block(512, 8), {{2, 4}, false}, traffic);
  EXPECT_EQ(found.traffic.Busiest(), 24u * 100);
  EXPECT_EQ(found.traffic.between_packages(), 64u * 8 * 100);
  EXPECT_EQ(found.how, "tiles 2x2x2 of 8x8x8 in 1x2x2");
}

TEST(PlaceBetter, ARingThatWasDealtOutComesTogether) {
  // Neighbours sit on other hosts each; in a row only the ends of it send.
  std::vector<Place> places;
  for (int32_t i = 0; i < 64; ++i) places.push_back({i % 8, i / 8});
  const HostPlacement found = Better(8, Mapping(places), {}, Box({64}));
  EXPECT_EQ(found.traffic.Busiest(), 2u * 100);
}

TEST(PlaceBetter, PackagesAreClaimedAsAListOfHostsGivesThem) {
  // Partners two apart: packages of their own need slots, which a list of
  // hosts does not say.
  const PackageRule rule{{2, 2}, false, true};
  Traffic traffic;
  for (int64_t rank = 0; rank < 4; ++rank) {
    traffic.flows.push_back({rank, 0, rank ^ 2, 0, 1, 100});
  }
  const HostPlacement one = Better(1, Block(4, 4), rule, traffic);
  EXPECT_EQ(one.traffic.between_packages(), 400u);
  // Of a larger box what is claimed is what its list, read again, has.
  std::string reason;
  const Traffic box = Box({4, 4, 4});
  const HostPlacement found =
      Better(8, Block(64, 8), {{2, 4}, false, true}, box);
  HostList hosts;
  for (const char name : std::string("abcdefgh")) hosts.names.push_back({name});
  const auto list =
      ReadHostFile(WriteHosts(hosts, found.mapping, HostForm::kList), &reason);
  const auto again = PlaceOnHosts(*list, 64, {}, &reason);
  const auto traffic_again =
      ComputeHostTraffic(8, *again, {{2, 4}, false}, box, &reason);
  EXPECT_EQ(traffic_again->within_packages, found.traffic.within_packages);
  EXPECT_EQ(traffic_again->Busiest(), found.traffic.Busiest());
}

TEST(PlaceBetter, HostsOfDifferentSizesKeepTheirRanks) {
  // Two groups that talk among themselves, three and five ranks, dealt out.
  Traffic traffic;
  traffic.exchanges = {{{0, 2, 4}, 10}, {{1, 3, 5, 6, 7}, 10}};
  const Mapping given(
      {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {1, 3}, {1, 4}});
  const HostPlacement found = Better(2, given, {}, traffic);
  EXPECT_EQ(found.traffic.between_hosts(), 0u);
  EXPECT_EQ(found.how, "the given order, ranks swapped");
}

TEST(PlaceBetter, IsNeverWorseThanAnOrderThatIsKnown) {
  // Three ranks that talk on a host of three, where the given order has two.
  Traffic traffic;
  traffic.exchanges = {{{0, 2, 3}, 10}};
  const Mapping given({{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  HostSearch search;
  search.known = {{Mapping({{0, 0}, {1, 0}, {0, 1}, {0, 2}}), "mine"}};
  std::string reason;
  const auto found = PlaceBetter(2, given, {}, traffic, search, &reason);
  ASSERT_TRUE(found.has_value()) << reason;
  EXPECT_EQ(found->traffic.between_hosts(), 0u);
  EXPECT_EQ(found->how, "mine");
}

TEST(PlaceBetter, WhatIsBestAlreadyStays) {
  const Mapping given = Block(64, 8);
  const HostPlacement found = Better(8, given, {}, Box({64}));
  EXPECT_EQ(found.mapping, given);
  EXPECT_EQ(found.how, "the given order");
}

}  // namespace
}  // namespace ranksight::bgq_support
