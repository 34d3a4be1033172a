#include "online_model/walk/rank_classes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "online_model/api/joined.h"
#include "online_model/walk/walk.h"
#include "tests/unit/online_model/compiled_run.h"
#include "tests/unit/online_model/grid_run.h"
#include "tests/unit/online_model/pipeline_run.h"

namespace ranksight::online_model {
namespace {

using testing::Compiled;
using testing::CompileRun;
using testing::GridRun;
using testing::MadeGridRun;

// A run, walked rank by rank and by classes.
class BothWays {
 public:
  explicit BothWays(const reduction::Trace& trace)
      : compiled_(CompileRun(trace)),
        costs_(compiled_.costs.At(trace.meta.ranks)),
        classes_(RankClasses::Find(
            trace, uint32_t(compiled_.costs.events()),
            [&](const reduction::Node& node) {
              return compiled_.costs.NumberOf(trace, node);
            },
            compiled_.costs.contexts())) {
    network_.latency = 1e-5;
    network_.eager_limit = 1e9;
    network_.byte = network_.gap = 1e-9;
    network_.stage.fill(1);
    network_.volume.fill(1);
    SetSpread(0, 0);
  }

  Network* network() { return &network_; }
  const reduction::Result<RankClasses>& classes() const { return classes_; }
  void SetSpread(double between, double within) {
    for (EventCost& e : costs_.events) {
      for (ComputeSpread& s : e.spread) s = {between, within, {}};
    }
  }

  reduction::Result<Walked> RankByRank() const {
    return Walk(compiled_.program, costs_, network_);
  }
  reduction::Result<Walked> ByClasses(int rounds, bool samples = false,
                                      bool* exact = nullptr) const {
    RankClasses::Depth depth;
    const auto program = classes_->Within(rounds, samples, &depth);
    if (!program.ok()) return program.status();
    if (exact != nullptr) *exact = depth.exact;
    actors_ = program->actors.size();
    return Walk(*program, costs_, network_);
  }
  size_t actors() const { return actors_; }

 private:
  Compiled compiled_;
  Costs costs_;
  Network network_;
  reduction::Result<RankClasses> classes_;
  mutable size_t actors_ = 0;
};

double SumOf(const std::vector<double>& v) {
  double sum = 0;
  for (const double x : v) sum += x;
  return sum;
}

TEST(RankClasses, AnOpenGridTakesAsLongAsRankByRank) {
  for (const int64_t side : {8, 24, 48}) {
    for (const bool barrier : {false, true}) {
      for (const bool is_long : {false, true}) {
        GridRun g;
        g.side = side;
        g.barrier = barrier;
        g.in_turn = is_long;
        BothWays both(MadeGridRun(g));
        ASSERT_TRUE(both.classes().ok()) << both.classes().status().message();
        if (is_long) both.network()->eager_limit = 0;
        const auto all = both.RankByRank();
        const auto some = both.ByClasses(8);
        ASSERT_TRUE(all.ok() && some.ok()) << side << barrier << is_long;
        EXPECT_NEAR(some->seconds / all->seconds, 1, 1e-3)
            << side << barrier << is_long;
        EXPECT_NEAR(SumOf(some->in_call) / SumOf(all->in_call), 1, 0.02);
        EXPECT_NEAR(SumOf(some->compute) / SumOf(all->compute), 1, 1e-9);
        EXPECT_LT(both.actors(), 1000u);
      }
    }
  }
}

// Of a small grid all places are told apart, and nothing is left out.
TEST(RankClasses, LookedAtToTheEndNothingIsLeftOut) {
  GridRun g;
  g.side = 9;
  BothWays both(MadeGridRun(g));
  bool exact = false;
  const auto some = both.ByClasses(20, false, &exact);
  const auto all = both.RankByRank();
  ASSERT_TRUE(all.ok() && some.ok());
  EXPECT_TRUE(exact);
  EXPECT_DOUBLE_EQ(some->seconds, all->seconds);
  EXPECT_NEAR(SumOf(some->in_call), SumOf(all->in_call), 1e-12);
}

// Where work differs by chance the last of all ranks comes as late as if all
// were walked: within 1 %, where the spread itself adds 2.5 to 8 %.
TEST(RankClasses, ChanceMakesAWalkOfSomeAsLongAsOfAll) {
  for (const bool barrier : {false, true}) {
    for (const double within : {0.0, 0.05}) {
      GridRun g;
      g.side = 64;
      g.steps = 30;
      g.barrier = barrier;
      BothWays both(MadeGridRun(g));
      const auto even = both.RankByRank();
      both.SetSpread(0.02, within);
      const auto all = both.RankByRank();
      const auto some = both.ByClasses(4, true);
      ASSERT_TRUE(even.ok() && all.ok() && some.ok());
      EXPECT_GT(all->seconds, 1.02 * even->seconds);
      EXPECT_NEAR(some->seconds / all->seconds, 1, 0.01) << barrier << within;
      EXPECT_LT(both.actors(), 2100u);
      EXPECT_NEAR(SumOf(some->compute) / SumOf(all->compute), 1, 0.01);
    }
  }
}

// One rank hands out to all, and they take what is theirs; the root of a
// broadcast is that one.
TEST(RankClasses, TheRootOfACollectiveIsAClassOfItsOwn) {
  GridRun g;
  g.side = 32;
  g.rooted = true;
  BothWays both(MadeGridRun(g));
  ASSERT_TRUE(both.classes().ok()) << both.classes().status().message();
  const auto all = both.RankByRank();
  const auto some = both.ByClasses(8);
  ASSERT_TRUE(all.ok() && some.ok());
  EXPECT_LT(both.actors(), 400u);
  EXPECT_NEAR(some->seconds / all->seconds, 1, 1e-3);
}

// In a pipeline all in the middle would wait for themselves.
TEST(RankClasses, APipelineIsNotWalkedByClasses) {
  testing::Pipeline p;
  p.ranks = 64;
  BothWays both(PipelineRun(p));
  ASSERT_TRUE(both.classes().ok());
  EXPECT_FALSE(both.ByClasses(4).ok());
}

// Beyond what is walked rank by rank: 16,384 ranks, 1.3 million events.
TEST(JoinedForecast, AGridOfManyRanksTakesWhatOneOfFewTakes) {
  std::vector<reduction::Trace> runs;
  Forecaster laws;
  for (const int64_t side : {4, 6, 8, 16}) {
    GridRun g;
    g.side = side;
    runs.push_back(MadeGridRun(g));
    ASSERT_TRUE(laws.AddRun(runs.back()).ok());
  }
  const int64_t ranks[] = {16384};
  const Forecast f = JoinedForecast(laws, runs, ranks);
  const ForecastPoint& p = f.points.front();
  EXPECT_EQ(p.basis.rfind("walked", 0), 0u) << p.basis;
  ASSERT_FALSE(p.refused) << p.reason;
  EXPECT_NEAR(p.seconds, 10 * 1.1e-4, 0.02 * 10 * 1.1e-4);
}

}  // namespace
}  // namespace ranksight::online_model
