#include "reduction/api/check.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "reduction/api/merge.h"
#include "tests/unit/reduction/program.h"
#include "tests/unit/reduction/random_trace.h"

namespace ranksight::reduction {
namespace {

using testing::Program;
using testing::RandomTrace;

// A trace of one loop around one event, for one rank.
Trace OneEvent() {
  Trace trace;
  trace.sites.sites.resize(1);
  Node event;
  event.kind = Node::Kind::kEvent;
  event.call = Call::MPI_Init_;
  event.params.resize(Info(event.call).params.size());
  event.trips.Add(0, Section::Constant(1, 1), false);
  Node loop;
  loop.trips.Add(0, Section::Constant(1, 1), false);
  loop.children.push_back(std::move(event));
  trace.root.children.push_back(std::move(loop));
  return trace;
}

Node& EventOf(Trace* trace) { return trace->root.children[0].children[0]; }

std::string Broken(const Trace& trace) { return Check(trace).message(); }

TEST(Check, SectionsHoldWhateverIsAppended) {
  std::mt19937 rng(7);
  for (int round = 0; round < 300; ++round) {
    Section section;
    const int kinds = 1 + int(rng() % 4);
    for (int i = 0; i < 60; ++i) {
      const auto value = int64_t(rng() % 3);
      if (rng() % unsigned(kinds) == 0) section.AppendRun(value, 1 + rng() % 5);
      section.Append(value);
      ASSERT_TRUE(Check(section).ok()) << Check(section).message();
    }
  }
}

TEST(Check, RandomTracesHold) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    const Trace trace = RandomTrace(seed).Make();
    EXPECT_EQ(Broken(trace), "") << "seed " << seed;
  }
}

TEST(Check, QueuesAndTheirMergesHold) {
  for (uint32_t seed = 0; seed < 30; ++seed) {
    Trace all;
    for (int64_t rank = 0; rank < 5; ++rank) {
      Program program(seed);
      Folder folder;
      program.Run(rank, 5, &folder);
      EXPECT_TRUE(Check(folder).ok()) << Check(folder).message();
      Trace mine = folder.Snapshot(rank, 5);
      if (rank == 0) {
        all = std::move(mine);
        continue;
      }
      auto merged = Merge(std::move(all), std::move(mine));
      ASSERT_TRUE(merged.ok());
      all = std::move(*merged);
    }
    EXPECT_EQ(Broken(all), "") << "seed " << seed;
  }
}

TEST(Check, FindsARootThatRuns) {
  Trace trace = OneEvent();
  ASSERT_EQ(Broken(trace), "");
  trace.root.trips.Add(0, Section::Constant(2, 1), false);
  EXPECT_EQ(Broken(trace), "the root has trips");
}

TEST(Check, FindsALoopWithNothingInIt) {
  Trace trace = OneEvent();
  trace.root.children[0].children.clear();
  EXPECT_EQ(Broken(trace), "a loop has nothing in it");
}

TEST(Check, FindsALoopWithTimes) {
  Trace trace = OneEvent();
  trace.root.children[0].times.call.first.Add(1.0);
  EXPECT_EQ(Broken(trace), "a loop has what events have");
}

TEST(Check, FindsASiteThatIsNotThere) {
  Trace trace = OneEvent();
  EventOf(&trace).site = 1;
  EXPECT_EQ(Broken(trace), "an event has a site that is not there");
}

TEST(Check, FindsAParameterTooMany) {
  Trace trace = OneEvent();
  EventOf(&trace).params.emplace_back();
  EXPECT_EQ(Broken(trace), "an event has other parameters than its call");
}

TEST(Check, FindsARankBeyondTheRun) {
  Trace trace = OneEvent();
  EventOf(&trace).trips.Add(1, Section::Constant(1, 1), false);
  EXPECT_EQ(Broken(trace), "a rank is none of the run");
}

TEST(Check, FindsARankInTwoPieces) {
  ParameterPieces pieces;
  for (const int64_t value : {3, 4}) {
    ParameterPiece piece;
    piece.ranks = Section::Run(0, 1, 4);
    piece.shape.push_back(0);
    for (const int64_t number : {value, int64_t{0}, int64_t{1}}) {
      piece.columns.push_back({false, Section::Constant(number, 4)});
    }
    pieces.push_back(std::move(piece));
  }
  Parameter parameter;
  ASSERT_TRUE(Parameter::FromPieces(std::move(pieces), &parameter));
  EXPECT_EQ(Check(parameter).message(), "a rank stands in two pieces");
}

}  // namespace
}  // namespace ranksight::reduction
