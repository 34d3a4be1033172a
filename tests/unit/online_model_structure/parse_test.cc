#include "online_model/parse/parse.h"

#include <gtest/gtest.h>

#include <vector>

#include "online_model/parse/call_tree.h"
#include "online_model/parse/flow_graph.h"
#include "online_model/parse/nest.h"
#include "online_model/parse/numbering.h"
#include "online_model/synthesize/same_streams.h"
#include "reduction/api/merge.h"
#include "tests/unit/online_model_structure/stencil_run.h"

namespace ranksight::online_model {
namespace {

using reduction::Call;
using reduction::Trace;
using testing::Stencil;
using testing::Style;

// One walk through the graph.
void Walk(const std::vector<size_t>& nodes, FlowGraph* graph) {
  graph->Begin(nodes[0]);
  for (size_t i = 1; i < nodes.size(); ++i) graph->Add(nodes[i - 1], nodes[i]);
}

TEST(FlowGraph, WhatComesOnceIsNoLoop) {
  FlowGraph graph(3);
  Walk({2, 0, 1}, &graph);
  const auto parts = graph.Parts();
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].nodes, std::vector<size_t>{2});
  EXPECT_EQ(parts[1].nodes, std::vector<size_t>{0});
  EXPECT_FALSE(parts[1].loop);
}

TEST(FlowGraph, AnOptionalNodeStandsWhereItComesInAnIteration) {
  // 2 comes in the first iterations only, ahead of 0 and 1.
  FlowGraph graph(4);
  Walk({3, 2, 0, 1, 2, 0, 1, 0, 1}, &graph);
  Walk({3, 0, 1, 0, 1, 0, 1}, &graph);
  const auto parts = graph.Parts();
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_TRUE(parts[1].loop);
  EXPECT_EQ(parts[1].nodes, (std::vector<size_t>{2, 0, 1}));
}

TEST(FlowGraph, ChainsThatSkipEachOtherKeepTheirOrder) {
  // Axes 0 1 | 2 3 | 4 5, each of which an iteration may skip.
  FlowGraph graph(7);
  Walk({0, 1, 2, 3, 4, 5, 6, 4, 5, 6}, &graph);
  Walk({0, 1, 4, 5, 6, 2, 3, 4, 5, 6}, &graph);
  Walk({2, 3, 6, 0, 1, 2, 3, 6}, &graph);
  const auto parts = graph.Parts();
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].nodes, (std::vector<size_t>{0, 1, 2, 3, 4, 5, 6}));
}

// Kinds 0 (in each iteration), 1 (sends) and 2 (receives) of one function.
struct LevelStreams {
  Streams streams;
  reduction::Sites sites;

  LevelStreams() {
    sites.modules = {{"", "app"}};
    sites.sites = {{{{0, 1}}}, {{{0, 2}}}, {{{0, 3}}}};
    streams.kinds = {{0, Call::MPI_Barrier_, reduction::kNone},
                     {1, Call::MPI_Send_, reduction::kNone},
                     {2, Call::MPI_Recv_, reduction::kNone}};
    streams.traces.resize(1);
  }
  void Add(const std::vector<uint32_t>& kinds) {
    Stream stream;
    for (const uint32_t k : kinds) stream.push_back({k, {}, {}});
    streams.traces[0].push_back(std::move(stream));
  }
  std::vector<int32_t> NumbersOf(
      size_t rank, IterationBody body = IterationBody::kAll) const {
    const CallTree tree = MakeCallTree(streams, sites, false);
    const auto numbers = NumberIterations(streams, 0, tree, body);
    std::vector<int32_t> out;
    if (!numbers.ok()) return out;
    for (const Iterations& i : (*numbers)[rank]) out.push_back(i[0]);
    return out;
  }
};

TEST(NumberIterations, ARankLearnsFromAMessageWhatItSatOut) {
  LevelStreams levels;
  levels.Add({0, 0, 0, 1, 0});  // sends in the third of four iterations
  levels.Add({0, 2, 0});
  EXPECT_EQ(levels.NumbersOf(1), (std::vector<int32_t>{0, 0, 1}));
  levels.streams.traces[0][0][3].receiver = {1, 1};
  levels.streams.traces[0][1][1].sender = {0, 3};
  EXPECT_EQ(levels.NumbersOf(0), (std::vector<int32_t>{0, 1, 2, 2, 3}));
  EXPECT_EQ(levels.NumbersOf(1), (std::vector<int32_t>{0, 2, 3}));
}

TEST(NumberIterations, WhereMessagesAgreeOnNoneEachRankCountsAlone) {
  // Each rank's second message answers the other's first.
  LevelStreams levels;
  levels.Add({0, 2, 0, 1, 0});
  levels.Add({0, 2, 0, 1, 0});
  for (const int32_t r : {0, 1}) {
    levels.streams.traces[0][size_t(r)][3].receiver = {1 - r, 1};
    levels.streams.traces[0][size_t(r)][1].sender = {1 - r, 3};
  }
  EXPECT_EQ(levels.NumbersOf(0), (std::vector<int32_t>{0, 0, 1, 1, 2}));
}

TEST(NumberIterations, IterationsMayDoOneThingOrAnotherByTurns) {
  // Even ranks begin with one, odd ranks with the other.
  LevelStreams levels;
  levels.Add({1, 2, 1, 2});
  levels.Add({2, 1, 2, 1});
  const auto by_turns = std::vector<int32_t>{0, 1, 2, 3};
  for (const size_t rank : {0, 1}) {
    EXPECT_NE(levels.NumbersOf(rank), by_turns);
    EXPECT_EQ(levels.NumbersOf(rank, IterationBody::kOneChain), by_turns);
  }
}

TEST(NumberIterations, RanksMayHaveIterationsOfTheirOwn) {
  // The second rank begins with what the first one does in the third iteration.
  LevelStreams levels;
  levels.Add({1, 2, 1, 2});
  levels.Add({2, 1});
  levels.streams.traces[0][0][2].receiver = {1, 0};
  levels.streams.traces[0][1][0].sender = {0, 2};
  EXPECT_EQ(levels.NumbersOf(1, IterationBody::kOneChain),
            (std::vector<int32_t>{2, 3}));
  EXPECT_EQ(levels.NumbersOf(1, IterationBody::kOneChainOfRank),
            (std::vector<int32_t>{0, 1}));
}

// One function: a loop, a call, and another loop, in a loop.
TEST(MakeCallTree, NestsWhatReachesItselfWithoutTheRarestCall) {
  LevelStreams levels;
  levels.Add({0, 0, 0, 1, 2, 2, 0, 0, 0, 1, 2, 2});
  levels.Add({0, 0, 0, 1, 2, 0, 0, 0, 1, 2});
  for (const bool nests : {false, true}) {
    const CallTree tree = MakeCallTree(levels.streams, levels.sites, nests);
    EXPECT_TRUE(tree.any_inner);
    const auto loops_around = [&tree](size_t kind) {
      return tree.places[size_t(tree.leaf_of[kind])].loops.size();
    };
    EXPECT_EQ(loops_around(0), nests ? 2u : 1u);
    EXPECT_EQ(loops_around(1), 1u);
    EXPECT_EQ(loops_around(2), nests ? 2u : 1u);
    const auto numbers =
        NumberIterations(levels.streams, 0, tree, IterationBody::kAll);
    ASSERT_TRUE(numbers.ok());
    if (nests) EXPECT_EQ((*numbers)[0].back(), (Iterations{1, 1}));
  }
}

TEST(MakeCallTree, OneCallAfterTheOtherHasNoInnerLoop) {
  LevelStreams levels;
  levels.Add({0, 1, 2, 0, 1, 2});
  EXPECT_FALSE(MakeCallTree(levels.streams, levels.sites, true).any_inner);
}

using Places = std::vector<std::pair<int32_t, int32_t>>;

// Runs of one rank each, which calls one call site with these values, and with
// these peers: the outer and inner iterations that `nest` makes of each.
template <class F>
std::vector<Places> Nested(const std::vector<std::vector<uint64_t>>& values,
                           const std::vector<std::vector<uint64_t>>& peers,
                           F&& nest) {
  LevelStreams levels;
  levels.streams.traces.clear();
  for (size_t t = 0; t < values.size(); ++t) {
    Stream stream;
    for (size_t k = 0; k < values[t].size(); ++k) {
      const uint64_t peer = peers.empty() ? 0 : peers[t][k];
      stream.push_back({0, {}, {}, values[t][k], peer});
    }
    levels.streams.traces.push_back({std::move(stream)});
  }
  CallTree tree = MakeCallTree(levels.streams, levels.sites, false);
  std::vector<Numbers> numbers;
  for (size_t t = 0; t < values.size(); ++t) {
    numbers.push_back(
        *NumberIterations(levels.streams, t, tree, IterationBody::kAll));
  }
  nest(levels.streams, &tree, &numbers);
  std::vector<Places> out;
  for (const Numbers& n : numbers) {
    out.emplace_back();
    for (const Iterations& i : n[0]) out.back().push_back({i[0], i[1]});
  }
  return out;
}

std::vector<Places> Nested(const std::vector<std::vector<uint64_t>>& runs) {
  return Nested(runs, {}, NestRepeated);
}

TEST(NestRepeated, WhatRepeatsAfterMoreIterationsAtLargerSizesIsALoop) {
  const auto nested = Nested({{1, 2, 1, 2}, {1, 2, 3, 1, 2, 3}});
  EXPECT_EQ(nested[0], (Places{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
  EXPECT_EQ(nested[1],
            (Places{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}));
}

TEST(NestRepeated, WhatRepeatsAlikeAtAllSizesIsALoop) {
  const auto nested = Nested({{1, 2, 1, 2}, {1, 2, 1, 2, 1, 2}});
  for (int32_t k = 0; k < 6; ++k) {
    EXPECT_EQ(nested[1][size_t(k)], std::pair(k / 2, k % 2));
  }
}

TEST(NestRepeated, WhatNeverRepeatsIsLeftAlone) {
  const auto nested = Nested({{1, 2, 3, 1}, {1, 2, 3, 4, 5, 6}});
  for (int32_t k = 0; k < 6; ++k) {
    EXPECT_EQ(nested[1][size_t(k)], (std::pair<int32_t, int32_t>(k, 0)));
  }
}

TEST(NestRepeated, WhatRepeatsAtSomeSizesAloneIsLeftAlone) {
  const auto nested =
      Nested({{1, 2, 1, 2}, {1, 2, 1, 2, 1}, {1, 2, 1, 2, 1, 2}});
  for (int32_t k = 0; k < 6; ++k) {
    EXPECT_EQ(nested[2][size_t(k)], (std::pair<int32_t, int32_t>(k, 0)));
  }
}

TEST(NestRepeated, WhatRepeatsWithinAnInnerLoopIsNoLoopOfItsOwn) {
  // Three steps of as many phases as ranks, which go by turns at even ones.
  const auto nested =
      Nested({{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2},
              {1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5},
              {1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2}});
  for (const int32_t ranks : {4, 5, 6}) {
    for (int32_t k = 0; k < 3 * ranks; ++k) {
      EXPECT_EQ(nested[size_t(ranks - 4)][size_t(k)],
                std::pair(k / ranks, k % ranks));
    }
  }
}

// One run of several ranks: the outer and inner iterations of each.
std::vector<Places> NestedOfRanks(
    const std::vector<std::vector<uint64_t>>& ranks, bool* nests) {
  LevelStreams levels;
  for (const auto& values : ranks) {
    Stream stream;
    for (const uint64_t v : values) stream.push_back({0, {}, {}, v, 0});
    levels.streams.traces[0].push_back(std::move(stream));
  }
  CallTree tree = MakeCallTree(levels.streams, levels.sites, false);
  std::vector<Numbers> numbers{
      *NumberIterations(levels.streams, 0, tree, IterationBody::kAllOfRank)};
  *nests = NestRepeatedOfRanks(levels.streams, &tree, &numbers);
  std::vector<Places> out;
  for (const auto& rank : numbers[0]) {
    out.emplace_back();
    for (const Iterations& i : rank) out.back().push_back({i[0], i[1]});
  }
  return out;
}

TEST(NestRepeatedOfRanks, EachRankRepeatsItselfAfterAsManyAsItHas) {
  bool nests = false;
  // Two cycles of three levels, of which ranks have three, two and one.
  const auto nested =
      NestedOfRanks({{1, 2, 3, 1, 2, 3}, {1, 2, 1, 2}, {1, 1}}, &nests);
  EXPECT_TRUE(nests);
  EXPECT_EQ(nested[0],
            (Places{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}));
  EXPECT_EQ(nested[1], (Places{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
  EXPECT_EQ(nested[2], (Places{{0, 0}, {1, 0}}));
}

TEST(NestRepeatedOfRanks, WhatOneRankDoesOnceIsNotRepeated) {
  bool nests = true;
  (void)NestedOfRanks({{1, 2, 1, 2}, {1, 2, 3}}, &nests);
  EXPECT_FALSE(nests);
  // All alike on all ranks is a loop as it is.
  (void)NestedOfRanks({{1, 1, 1, 1}, {1, 1}}, &nests);
  EXPECT_FALSE(nests);
  // Longer than what is looked at.
  std::vector<uint64_t> by_turns;
  for (uint64_t k = 0; k < 1 << 15; ++k) by_turns.push_back(k % 2);
  (void)NestedOfRanks({by_turns, {1, 2, 1, 2}}, &nests);
  EXPECT_FALSE(nests);
}

TEST(NestRuns, PiecesForOneRankAreALoop) {
  const auto nested = Nested({{8, 8, 3, 8, 1}, {8, 2, 8, 8, 8, 5}},
                             {{7, 7, 7, 9, 9}, {7, 7, 9, 9, 9, 9}}, NestRuns);
  EXPECT_EQ(nested[0], (Places{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}}));
  EXPECT_EQ(nested[1],
            (Places{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {1, 2}, {1, 3}}));
}

TEST(NestRuns, OneRankOrAnotherEachTimeAreLeftAlone) {
  for (const auto& peers :
       {std::vector<std::vector<uint64_t>>{{7, 7}, {7, 7}}, {{7, 9}, {7, 9}}}) {
    const auto nested = Nested({{1, 2}, {1, 2}}, peers, NestRuns);
    EXPECT_EQ(nested[0], (Places{{0, 0}, {1, 0}}));
  }
}

TEST(ParseAgain, SitesWithTheSameTagsAtAllSizesLeaveNothingElseToTry) {
  Stencil stencil;
  stencil.periodic = {false, true};
  std::vector<Trace> traces = {testing::RunOf(stencil, {2, 2}),
                               testing::RunOf(stencil, {3, 4})};
  ASSERT_TRUE(reduction::Align(traces).ok());
  EXPECT_EQ(ParseAgain(traces, TagKinds::kFewAndAlways).code(),
            reduction::StatusCode::kNo);
}

TEST(ParseAgain, KeepsEveryRanksStream) {
  for (const Style style : {Style::kLoop, Style::kGuards, Style::kNull}) {
    Stencil stencil;
    stencil.periodic = {false, true};
    stencil.style = style;
    std::vector<Trace> traces = {testing::RunOf(stencil, {2, 2}),
                                 testing::RunOf(stencil, {3, 4})};
    ASSERT_TRUE(reduction::Align(traces).ok());
    const std::vector<Trace> aligned = traces;
    const auto parsed = ParseAgain(traces);
    ASSERT_TRUE(parsed.ok()) << parsed.message();
    for (size_t t = 0; t < traces.size(); ++t) {
      const auto same = CompareStreams(traces[t], aligned[t]);
      ASSERT_TRUE(same.ok()) << same.status().message();
      EXPECT_EQ(*same, reduction::CountEvents(aligned[t]));
    }
    EXPECT_EQ(reduction::CountNodes(traces[0]),
              reduction::CountNodes(traces[1]));
  }
}

}  // namespace
}  // namespace ranksight::online_model
