#include "online_model/api/links.h"

#include <gtest/gtest.h>

#include <string>

#include "online_model/api/joined.h"
#include "online_model/api/simulate.h"
#include "tests/unit/online_model/compiled_run.h"
#include "tests/unit/online_model/crossing_run.h"

namespace ranksight::online_model {
namespace {

using testing::Crossing;
using testing::CrossingRun;
using testing::CrossingSeconds;

std::shared_ptr<const Links> Torus(const char* shape, int64_t ranks) {
  std::string reason;
  const auto torus =
      bgq_support::Network::Parse(std::string("torus:") + shape, &reason);
  EXPECT_TRUE(torus) << reason;
  const auto mapping = PlaceInOrder(*torus, ranks, 1, &reason);
  EXPECT_TRUE(mapping) << reason;
  return NetworkLinks(*torus, *mapping);
}

bgq_support::Network Named(const char* name) {
  std::string reason;
  return *bgq_support::Network::Parse(name, &reason);
}

std::vector<uint32_t> RouteOf(const Links& links, int64_t from, int64_t to) {
  std::vector<uint32_t> route;
  links.AddRoute(from, to, &route);
  for (const uint32_t link : route) EXPECT_LT(link, links.count());
  return route;
}

TEST(Links, RoutesOnATorusAreShortest) {
  const auto links = Torus("4x8", 32);
  const auto machine = bgq_support::Machine::Parse("4x8", nullptr);
  for (int from = 0; from < 32; ++from) {
    for (int to = 0; to < 32; ++to) {
      EXPECT_EQ(RouteOf(*links, from, to).size(),
                size_t(machine->torus.Distance(from, to)));
    }
  }
  EXPECT_NE(RouteOf(*links, 0, 1), RouteOf(*links, 1, 0));
}

// Everybody to everybody on a ring of n: mean distance n^2 / 4 / (n - 1); a
// link towards growing coordinates carries 1 + 2 + ... + n / 2.
TEST(Links, TheMeanRouteOnARingIsTheFormulas) {
  for (const int64_t n : {4, 8, 32, 64}) {
    const MeanRoute mean = MeanRouteOf(*Torus(std::to_string(n).c_str(), n), n);
    const double others = double(n - 1), half = double(n) / 2;
    EXPECT_NEAR(mean.hops, half * half / others, 1e-9) << n;
    EXPECT_NEAR(mean.most_load, half * (half + 1) / 2 / others, 1e-9) << n;
  }
}

TEST(Links, OnATreeTheDestinationDecidesTheUplink) {
  std::vector<bgq_support::Place> places;
  for (int32_t node = 0; node < 16; ++node) places.push_back({node, 0});
  const auto links =
      NetworkLinks(Named("fat-tree:4x4:1x2"), bgq_support::Mapping(places));
  EXPECT_TRUE(RouteOf(*links, 3, 3).empty());
  EXPECT_EQ(RouteOf(*links, 0, 3).size(), 2u);  // under one switch
  const auto a = RouteOf(*links, 0, 4), b = RouteOf(*links, 1, 6);
  ASSERT_EQ(a.size(), 4u);
  EXPECT_EQ(a[1], b[1]);                      // both even
  EXPECT_NE(a[1], RouteOf(*links, 1, 5)[1]);  // an odd one
  EXPECT_EQ(a[3], RouteOf(*links, 9, 4)[3]);  // the last one
}

// Every message once, by the routes of walks, is what map counts.
TEST(Links, AreThoseThatLoadsAreCountedOn) {
  for (const char* name : {"fat-tree:2x3x4:1x2x3", "dragonfly:4x3x2:2"}) {
    const bgq_support::Network network = Named(name);
    std::string reason;
    const auto mapping = PlaceInOrder(network, 2 * network.nodes(), 2, &reason);
    ASSERT_TRUE(mapping) << reason;
    bgq_support::Exchange all{{}, 1};
    for (int64_t r = 0; r < mapping->ranks(); ++r) all.members.push_back(r);
    const auto counted = ComputeLoads(network, *mapping, {{}, {all}}, &reason);
    const auto links = NetworkLinks(network, *mapping);
    EXPECT_EQ(links->count(), network.links());
    std::vector<uint64_t> load(links->count());
    for (int64_t from = 0; from < mapping->ranks(); ++from) {
      for (int64_t to = 0; to < mapping->ranks(); ++to) {
        for (const uint32_t link : RouteOf(*links, from, to)) ++load[link];
      }
    }
    EXPECT_EQ(load, counted->load) << name;
  }
}

// Even ranks under one switch, odd ones under another, one uplink each.
// `slower`: what a byte takes on it of what it takes on a node's link.
std::shared_ptr<const Links> OneUplink(double slower = 1) {
  constexpr int32_t kNodes = 512;
  std::vector<bgq_support::Place> places;
  for (int32_t r = 0; r < 2 * kNodes; ++r) {
    places.push_back({r / 2 + r % 2 * kNodes, 0});
  }
  bgq_support::Network network = Named("fat-tree:512x2:1x1");
  std::string reason;
  const double bandwidth = network.classes()[0].bandwidth / slower;
  EXPECT_TRUE(network.SetSpeed("level 1=" + std::to_string(bandwidth), &reason))
      << reason;
  return NetworkLinks(network, bgq_support::Mapping(places));
}

// The last of messages that meet is there at the same time whether they pass
// the link one after the other or share it.
void ExpectCrossing(std::shared_ptr<const MessageCurve> curve,
                    double slower = 1) {
  for (const int64_t ranks : {2, 8, 64}) {
    Crossing c;
    c.ranks = ranks;
    const testing::Compiled run = testing::CompileRun(CrossingRun(c));
    Network network;
    network.hop = c.latency / 4;
    network.byte = c.link_byte;
    network.link_byte = c.link_byte / slower;
    network.eager_limit = 1e9;
    network.links = OneUplink(slower);
    network.curve = curve;
    const auto walked = Walk(run.program, run.costs.At(ranks), network);
    ASSERT_TRUE(walked.ok()) << walked.status().message();
    EXPECT_NEAR(walked->seconds, CrossingSeconds(c), 1e-8) << ranks;
  }
}

TEST(Walk, MessagesPassALinkOneAfterTheOther) { ExpectCrossing(nullptr); }

TEST(Walk, MessagesShareALinkWhereTimesWereMeasured) {
  const std::vector<AtBytes> on_a_line = {{1000, 2e-6}, {2000, 3e-6}};
  ExpectCrossing(std::make_shared<MessageCurve>(on_a_line));
}

TEST(Walk, ALinkOfASlowerClassHoldsMessagesForLonger) {
  ExpectCrossing(nullptr, 4);
  const std::vector<AtBytes> on_a_line = {{1000, 2e-6}, {2000, 3e-6}};
  ExpectCrossing(std::make_shared<MessageCurve>(on_a_line), 4);
}

// A way has four.
std::vector<AtBytes> OnALink(const Crossing& c) {
  std::vector<AtBytes> messages;
  for (const double bytes : {1000.0, 2000.0}) {
    messages.push_back({bytes, c.latency / 4 + bytes * c.link_byte});
  }
  return messages;
}

TEST(SimulateOnLinks, MessagesGoWithTheirLengthAsInSmpi) {
  const MessageCurve curve(SmpiMessages(1e-6, 1e-9));
  ASSERT_TRUE(curve.known());
  EXPECT_NEAR(curve.latency(), 2.01467e-6, 1e-11);
  EXPECT_NEAR(curve.byte(), 1e-9 / 0.940694, 1e-14);
  EXPECT_NEAR(curve.latency() * curve.Latency(1e6), 11.6436e-6, 1e-10);
  // Pieces that differ by less than times of one length do are one.
  EXPECT_NEAR(curve.byte() * curve.Byte(500), 1e-9 / 0.338112, 1e-10);
}

TEST(SimulateOnLinks, TakesWhatTheObviousRecursionSays) {
  for (const int64_t ranks : {2, 8, 64}) {
    Crossing c;
    c.ranks = ranks;
    const LinkNetwork network{OneUplink(), OnALink(c), 0};
    const auto run = SimulateOnLinks(CrossingRun(c), network, {});
    ASSERT_TRUE(run.ok()) << run.status().message();
    EXPECT_NEAR(run->seconds, CrossingSeconds(c), 1e-8) << ranks;
    // Every other rank computes.
    EXPECT_NEAR(run->computed, double(c.steps) * c.compute / 2, 1e-8);
    EXPECT_TRUE(run->on_links);
    EXPECT_EQ(run->actors, ranks);
    Crossing alone = c;
    alone.compute = 0;
    WhatIf what_if;
    what_if.compute_scale = 0;
    const auto without = SimulateOnLinks(CrossingRun(c), network, what_if);
    ASSERT_TRUE(without.ok()) << without.status().message();
    EXPECT_NEAR(without->seconds, CrossingSeconds(alone), 1e-8) << ranks;
  }
}

TEST(SimulateOnLinks, EndsWhenItIsNotWanted) {
  const Crossing c;
  const LinkNetwork network{OneUplink(), OnALink(c), 0};
  const auto run = SimulateOnLinks(CrossingRun(c), network, {}, [] {
    return reduction::Status::No("enough");
  });
  // It is asked now and then, so that a short one may come to its end.
  if (!run.ok()) EXPECT_EQ(run.status().message(), "enough");
  WhatIf nowhere;
  nowhere.site_scales = {{"nowhere", 2}};
  EXPECT_EQ(SimulateOnLinks(CrossingRun(c), network, nowhere).status().code(),
            reduction::StatusCode::kUsage);
}

TEST(Links, OfSlowerClassesCountForMore) {
  bgq_support::Network network = Named("fat-tree:2x2:1x1");
  std::string reason;
  ASSERT_TRUE(network.SetSpeed("nodes=8e9,1e-6", &reason)) << reason;
  ASSERT_TRUE(network.SetSpeed("level 1=2e9,3e-6", &reason)) << reason;
  const auto mapping = PlaceInOrder(network, 4, 1, &reason);
  const auto links = NetworkLinks(network, *mapping);
  EXPECT_FALSE(links->even());
  EXPECT_EQ(HopsOf(*links, RouteOf(*links, 0, 1)), 2);
  EXPECT_EQ(HopsOf(*links, RouteOf(*links, 0, 2)), 1 + 3 + 3 + 1);
  // Two nodes send half of what they send to others, two thirds, up one link
  // whose bytes take four times as long.
  EXPECT_DOUBLE_EQ(MeanRouteOf(*links, 4).most_load, 4 * 2 * 2 / 3.0);
}

// Of four small runs two have time to spare on the link that all share.
TEST(JoinedForecast, ALinkThatFillsUpBeyondTheMeasuredSizes) {
  const auto crossing = [](int64_t ranks) {
    Crossing c;
    c.ranks = ranks;
    c.compute = 5e-5;
    return c;
  };
  Forecaster laws;
  std::vector<reduction::Trace> runs;
  for (const int64_t ranks : {4, 8, 16, 32}) {
    runs.push_back(CrossingRun(crossing(ranks)));
    ASSERT_TRUE(laws.AddRun(runs.back()).ok());
  }
  WalkOptions options;
  options.links = OneUplink();
  const std::vector<int64_t> asked = {128, 512, 2048};
  const Forecast f = JoinedForecast(laws, runs, asked, options);
  for (size_t i = 0; i < 2; ++i) {
    const ForecastPoint& p = f.points[i];
    const double truth = CrossingSeconds(crossing(asked[i]));
    EXPECT_NE(p.basis.find("links"), std::string::npos) << p.basis;
    ASSERT_FALSE(p.refused) << p.reason;
    EXPECT_NEAR(p.seconds / truth, 1, 0.05) << asked[i];
    EXPECT_LE(p.low, truth);
    EXPECT_GE(p.high, truth);
  }
  EXPECT_NE(f.points[2].basis.find("no places for 2048"), std::string::npos)
      << f.points[2].basis;
}

}  // namespace
}  // namespace ranksight::online_model
