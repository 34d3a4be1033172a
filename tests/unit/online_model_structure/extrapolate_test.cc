#include "online_model/api/extrapolate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <span>

#include "reduction/api/canonical.h"
#include "reduction/api/cursor.h"
#include "tests/unit/online_model_structure/shapes.h"
#include "tests/unit/online_model_structure/stencil_run.h"

namespace ranksight::online_model {
namespace {

using reduction::CanonicalText;
using reduction::Trace;
using testing::Dims;
using testing::EventsOf;
using testing::kBricks;
using testing::kSquares;
using testing::RunOf;
using testing::ShapeList;
using testing::Stencil;
using testing::Style;

std::vector<Trace> Runs(const Stencil& s, const ShapeList& shapes) {
  std::vector<Trace> runs;
  for (const Dims& dims : shapes) runs.push_back(RunOf(s, dims));
  return runs;
}

reduction::Result<Extrapolation> To(const std::vector<Trace>& runs,
                                    int64_t ranks, Dims dims = {}) {
  return Extrapolate(runs, {ranks, std::move(dims)});
}

// Every rank's canonical text against the formula.
void ExpectExact(const Stencil& s, const ShapeList& shapes,
                 const Dims& target) {
  int64_t ranks = 1;
  for (const int64_t d : target) ranks *= d;
  const auto got = To(Runs(s, shapes), ranks);
  ASSERT_TRUE(got.ok()) << got.status().message();
  ASSERT_EQ(got->trace.meta.ranks, ranks);
  for (int64_t r = 0; r < ranks; ++r) {
    auto cursor = reduction::Cursor::Open(got->trace, r);
    ASSERT_TRUE(cursor.ok());
    for (const auto& expected : EventsOf(s, target, r)) {
      ASSERT_TRUE(cursor->Next()) << "rank " << r << " ends early";
      ASSERT_EQ(CanonicalText(cursor->event()), CanonicalText(expected))
          << "rank " << r;
      const auto refs = cursor->event().GetArray(reduction::Param::kRequests);
      const auto want = expected.GetArray(reduction::Param::kRequests);
      ASSERT_TRUE(
          std::equal(refs.begin(), refs.end(), want.begin(), want.end()))
          << "requests of rank " << r;
    }
    ASSERT_FALSE(cursor->Next()) << "rank " << r << " goes on";
    ASSERT_TRUE(cursor->status().ok());
  }
}

TEST(Extrapolate, OpenLineIsExact) {
  ExpectExact({.periodic = {false}}, {{2}, {3}, {4}, {6}}, {17});
}
TEST(Extrapolate, RingIsExact) {
  ExpectExact({.periodic = {true}}, {{2}, {3}, {4}, {6}}, {17});
}
TEST(Extrapolate, OpenSquareIsExact) {
  ExpectExact({.periodic = {false, false}}, kSquares, {10, 10});
}
TEST(Extrapolate, PeriodicSquareIsExact) {
  ExpectExact({.periodic = {true, true}}, kSquares, {10, 10});
}
TEST(Extrapolate, SquarePeriodicInOneDimensionIsExact) {
  ExpectExact({.periodic = {true, false}}, kSquares, {8, 8});
}
TEST(Extrapolate, OpenBrickFromDimsCreateShapesIsExact) {
  ExpectExact({.periodic = {false, false, false}}, kBricks, {4, 4, 4});
}
TEST(Extrapolate, PeriodicBrickFromDimsCreateShapesIsExact) {
  ExpectExact({.periodic = {true, true, true}}, kBricks, {4, 4, 4});
}
TEST(Extrapolate, GuardedCallSitesAreExactWhenOpen) {
  ExpectExact({.periodic = {false, false}, .style = Style::kGuards}, kSquares,
              {10, 10});
}
TEST(Extrapolate, SeparateCallSitesAreExactWhenPeriodic) {
  ExpectExact({.periodic = {true, true}, .style = Style::kGuards}, kSquares,
              {10, 10});
}
TEST(Extrapolate, ProcNullBeyondTheEdgeIsExact) {
  ExpectExact({.periodic = {false, false}, .style = Style::kNull}, kSquares,
              {10, 10});
}
TEST(Extrapolate, BlockPartitionWithRemainderIsExact) {
  ExpectExact({.periodic = {true, true}, .cells = 100}, kSquares, {8, 8});
}
TEST(Extrapolate, BlockPartitionOnAnOpenGridIsExact) {
  ExpectExact({.periodic = {false, false}, .cells = 100}, kSquares, {8, 8});
}

// Sides in an order of the program's own, as where it tries all and keeps the
// first that is best by what it counts.
TEST(Extrapolate, GridsThatNoRuleGivesAreSeenAndDimsGiveTheTarget) {
  const Stencil s{.periodic = {false, false}};
  const ShapeList shapes{{1, 4}, {3, 2}, {2, 4}, {6, 2}, {4, 4}};
  const auto alone = To(Runs(s, shapes), 20);
  ASSERT_FALSE(alone.ok());
  EXPECT_NE(alone.status().message().find("3x2 of 6"), std::string::npos)
      << alone.status().message();
  EXPECT_NE(alone.status().message().find("--dims"), std::string::npos);
  const auto got = To(Runs(s, shapes), 20, {4, 5});
  ASSERT_TRUE(got.ok()) << got.status().message();
  for (const int64_t rank : {0, 7, 19}) {
    auto cursor = reduction::Cursor::Open(got->trace, rank);
    ASSERT_TRUE(cursor.ok());
    for (const auto& expected : EventsOf(s, {4, 5}, rank)) {
      ASSERT_TRUE(cursor->Next());
      ASSERT_EQ(CanonicalText(cursor->event()), CanonicalText(expected));
    }
  }
}

TEST(Extrapolate, GivenDimsReplaceTheRule) {
  const Stencil s{.periodic = {false, false}};
  const auto got = To(Runs(s, kSquares), 24, {4, 6});
  ASSERT_TRUE(got.ok()) << got.status().message();
  auto cursor = reduction::Cursor::Open(got->trace, 7);
  ASSERT_TRUE(cursor.ok());
  for (const auto& expected : EventsOf(s, {4, 6}, 7)) {
    ASSERT_TRUE(cursor->Next());
    ASSERT_EQ(CanonicalText(cursor->event()), CanonicalText(expected));
  }
}

// 720 / d0 are 720 / d1 as well on squares.
TEST(Extrapolate, SquaresDoNotTellWhichSideIsMeant) {
  const Stencil s{.periodic = {false, false}, .cells = 720};
  const auto got = To(Runs(s, kSquares), 24, {4, 6});
  ASSERT_FALSE(got.ok());
  EXPECT_NE(got.status().message().find("as long as one another in all runs"),
            std::string::npos)
      << got.status().message();
  EXPECT_TRUE(To(Runs(s, kSquares), 36).ok());
}

TEST(Extrapolate, RandomNeighboursAreRefusedNamingTheCallSite) {
  Stencil s{.periodic = {true, true}};
  s.peer = [](int64_t rank, int64_t ranks, int64_t peer) {
    const uint64_t mix = uint64_t(rank * 7919 + peer * 104729 + ranks * 31);
    return int64_t((mix * 0x9E3779B97F4A7C15u >> 33) % uint64_t(ranks));
  };
  const auto got = To(Runs(s, kSquares), 100);
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.status().code(), reduction::StatusCode::kNo);
  const std::string& why = got.status().message();
  EXPECT_NE(why.find("MPI_Isend"), std::string::npos) << why;
  EXPECT_NE(why.find("stencil+0x"), std::string::npos) << why;
}

TEST(Extrapolate, ALargestInputThatDoesNotFollowIsRefused) {
  const Stencil honest{.periodic = {true, true}};
  std::vector<Trace> runs = Runs(honest, {{2, 2}, {3, 3}, {4, 4}});
  Stencil lying = honest;
  lying.peer = [](int64_t rank, int64_t, int64_t peer) {
    return rank == 13 ? 0 : peer;
  };
  runs.push_back(RunOf(lying, {5, 5}));
  const auto got = To(runs, 100);
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.status().code(), reduction::StatusCode::kNo);
}

// On four ranks the program goes another way, as one does whose rounds are as
// many as its ranks, but five at most.
TEST(Extrapolate, TheSmallestInputIsLeftOutWhereFourOthersHaveLaws) {
  Stencil s{.periodic = {true}};
  s.peer = [](int64_t rank, int64_t ranks, int64_t peer) {
    return ranks == 4 ? (rank * rank + 1) % 3 : peer;
  };
  ExtrapolationRequest request;
  request.ranks = 24;
  const auto runs = Runs(s, {{4}, {6}, {8}, {12}, {16}});
  const auto made = Extrapolate(runs, request);
  ASSERT_TRUE(made.ok()) << made.status().message();
  EXPECT_EQ(made->report.left_out_ranks, 4);
  const auto others = Extrapolate(std::span(runs).subspan(1), request);
  ASSERT_TRUE(others.ok()) << others.status().message();
  EXPECT_EQ(others->report.left_out_ranks, 0);
  for (int64_t r = 0; r < request.ranks; ++r) {
    auto cursor = reduction::Cursor::Open(made->trace, r);
    ASSERT_TRUE(cursor.ok());
    for (const auto& expected : EventsOf(s, {request.ranks}, r)) {
      ASSERT_TRUE(cursor->Next()) << "rank " << r << " ends early";
      ASSERT_EQ(CanonicalText(cursor->event()), CanonicalText(expected));
    }
    ASSERT_FALSE(cursor->Next());
  }

  // Three are too few to say that the fourth is special.
  EXPECT_FALSE(Extrapolate(std::span(runs).first(4), request).ok());
  // A target that may go the way of the smallest is not made, and laws are not
  // kept without what they do not explain.
  for (const int64_t small : {3, 4, 5}) {
    request.ranks = small;
    EXPECT_FALSE(Extrapolate(runs, request).ok()) << small;
  }
  request.ranks = 24;
  request.symbolic = true;
  EXPECT_FALSE(Extrapolate(runs, request).ok());
  request.symbolic = false;
  request.strict = true;
  EXPECT_FALSE(Extrapolate(runs, request).ok());
}

TEST(Extrapolate, ATargetThatIsNoSquareIsRefusedWithSquaresNearIt) {
  const auto got = To(Runs({.periodic = {true, true}}, kSquares), 48);
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.status().code(), reduction::StatusCode::kNo);
  EXPECT_NE(got.status().message().find("49"), std::string::npos);
}

// On a side of two ranks whoever is first is not last, and the other way round.
TEST(Extrapolate,
     ASideThatAllRunsHaveAlikeIsNamedWhereLawsContradictEachOther) {
  const auto runs =
      Runs({.periodic = {false, false, false}, .style = Style::kGuards},
           {{2, 2, 2}, {2, 2, 3}, {2, 3, 3}, {2, 3, 4}});
  const auto got = To(runs, 48);
  ASSERT_FALSE(got.ok());
  EXPECT_NE(got.status().message().find(
                "side 0 of the grid is 2 in all runs and would be 3: at 48 "),
            std::string::npos)
      << got.status().message();
}

// Whenever the search is stopped, it is refused with the reason; asked until
// the end it gives what it gives without being asked.
TEST(Extrapolate, ASearchThatIsStoppedIsRefusedAndSaysSo) {
  const auto runs = Runs({.periodic = {true}}, {{3}, {4}, {5}});
  int asked = 0, most = INT_MAX;
  ExtrapolationRequest request;
  request.ranks = 11;
  request.stop = [&] {
    return ++asked <= most ? reduction::Status::Ok()
                           : reduction::Status::No("tired");
  };
  const auto whole = Extrapolate(runs, request);
  ASSERT_TRUE(whole.ok()) << whole.status().message();
  EXPECT_TRUE(whole->trace == To(runs, 11)->trace);
  const int asked_in_all = asked;
  ASSERT_GT(asked_in_all, 50);
  for (most = 0; most < asked_in_all; ++most) {
    asked = 0;
    const auto stopped = Extrapolate(runs, request);
    ASSERT_FALSE(stopped.ok()) << most;
    EXPECT_TRUE(stopped.status().message().ends_with("tired"))
        << stopped.status().message();
  }
}

TEST(Extrapolate, TellsHowMuchOfAnAttemptIsDone) {
  ExtrapolationRequest request;
  request.ranks = 36;
  std::vector<double> told;
  request.tell_share = [&told](double share) { told.push_back(share); };
  ASSERT_TRUE(
      Extrapolate(Runs({.periodic = {true, true}}, kSquares), request).ok());
  ASSERT_GT(told.size(), 10u);
  EXPECT_GT(told.front(), 0);
  // The run that is held out is predicted first.
  EXPECT_LT(told.front(), 0.25);
  EXPECT_EQ(std::ranges::count(told, 1), 1);
  EXPECT_EQ(told.back(), 1);
}

TEST(Extrapolate, TwoRankCountsAreTooFew) {
  const auto got = To(Runs({.periodic = {true}}, {{3}, {4}}), 8);
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.status().code(), reduction::StatusCode::kUsage);
}

TEST(Extrapolate, AnIncompleteInputIsRefused) {
  std::vector<Trace> runs = Runs({.periodic = {true}}, {{2}, {3}, {4}});
  runs[1].meta.complete = false;
  const auto got = To(runs, 8);
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.status().code(), reduction::StatusCode::kNo);
}

TEST(Extrapolate, AnotherBuildIsRefused) {
  std::vector<Trace> runs = Runs({.periodic = {true}}, {{2}, {3}, {4}});
  runs[1].meta.build_id = "cd34";
  EXPECT_FALSE(To(runs, 8).ok());
}

TEST(Extrapolate, ARepeatedRunThatDiffersIsNamed) {
  const Stencil stencil{.periodic = {false, false}};
  auto runs = Runs(stencil, kSquares);
  runs.push_back(RunOf(stencil, {3, 3}));
  EXPECT_TRUE(To(runs, 36).ok());
  Stencil longer = stencil;
  longer.steps = 6;
  runs.push_back(RunOf(longer, {3, 3}));
  const auto got = To(runs, 36);
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.status().code(), reduction::StatusCode::kNo);
  EXPECT_NE(got.status().message().find("two runs of 9 ranks differ"),
            std::string::npos)
      << got.status().message();
}

// Amounts without a law, so that no grid explains the run.
reduction::Trace WithIrregularAmounts(reduction::Trace run) {
  reduction::ForEachEvent(run.root, [&](reduction::Node& node) {
    if (node.call != reduction::Call::MPI_Isend_) return;
    const auto params = reduction::Info(node.call).params;
    for (size_t i = 0; i < params.size(); ++i) {
      if (params[i] != reduction::Param::kCount) continue;
      reduction::Parameter other;
      for (const auto& [rank, values] : node.params[i].ByRank()) {
        reduction::Section section;
        for (const int64_t v : values.Expand()) {
          section.Append(v + (rank + 3) * (rank + 5) * 7919 % 101);
        }
        other.Add(rank, section, false);
      }
      node.params[i] = other;
    }
  });
  return run;
}

// Forecasts ask for laws without a size held out.
TEST(Extrapolate, TheGridThatExplainsMostIsNamedWithASizeHeldOutAndWithout) {
  std::vector<reduction::Trace> runs;
  for (const std::vector<int64_t>& dims : std::vector<std::vector<int64_t>>{
           {2, 2}, {3, 2}, {3, 3}, {4, 3}, {4, 4}}) {
    runs.push_back(WithIrregularAmounts(
        testing::RunOf({.periodic = {false, false}, .steps = 1}, dims)));
  }
  ExtrapolationRequest request;
  request.ranks = 36;
  std::string grids[2];
  for (const bool hold_out : {true, false}) {
    request.hold_out = hold_out;
    const auto made = Extrapolate(runs, request);
    ASSERT_FALSE(made.ok());
    const std::string& reason = made.status().message();
    grids[hold_out] = reason.substr(0, reason.find(": "));
  }
  EXPECT_EQ(grids[0], "as a 2-D grid by MPI_Dims_create");
  EXPECT_EQ(grids[0], grids[1]);
}

}  // namespace
}  // namespace ranksight::online_model
