// Forecasts of programs whose structure follows no law throughout, against
// times known in closed form.
#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "online_model/api/extrapolate.h"
#include "online_model/api/joined.h"
#include "online_model/api/twin.h"
#include "online_model/structure/own_law.h"
#include "tests/unit/online_model/pipeline_run.h"

namespace ranksight::online_model {
namespace {

using reduction::Trace;
using testing::Pipeline;

Pipeline Lawless(int64_t ranks) {
  Pipeline p;
  p.ranks = ranks;
  p.bytes = 1000 + ranks * ranks * ranks % 77;
  return p;
}

// Each rank sends the next one as many bytes as nothing says.
Trace RingOfAnyBytes(int64_t ranks) {
  return testing::MadeRun("ring", ranks, [ranks](int64_t rank) {
    const uint64_t any = uint64_t(rank * 64 + ranks) * 0x9e3779b97f4a7c15;
    const int64_t bytes = 1 + int64_t(any >> 44), next = (rank + 1) % ranks;
    testing::MadeRank made;
    made.Message(reduction::Call::MPI_Send_, 3, next, bytes, 0, 0);
    return made.End(rank, ranks, 1);
  });
}

class JoinedTwin : public ::testing::Test {
 protected:
  void Add(const Pipeline& p) {
    inputs_.push_back(PipelineRun(p));
    ASSERT_TRUE(forecaster_.AddRun(inputs_.back()).ok());
  }
  // Of counts with few divisors, which few grids are tried for.
  void AddLawless() {
    for (const int64_t ranks : {3, 5, 7}) Add(Lawless(ranks));
  }
  ForecastPoint At(int64_t ranks, const WalkOptions& options = {}) {
    return JoinedForecast(forecaster_, inputs_, {&ranks, 1}, options).points[0];
  }
  std::vector<Trace> inputs_;
  Forecaster forecaster_;
};

TEST_F(JoinedTwin, AmountsWithoutALawAreWalkedAlongATwin) {
  AddLawless();
  for (const int64_t ranks : {64, 128}) {
    const ForecastPoint p = At(ranks);
    ASSERT_FALSE(p.refused) << p.reason;
    EXPECT_TRUE(p.walked && p.estimated) << p.basis;
    EXPECT_EQ(p.basis, "walked along a twin (estimated structure)");
    const double truth = PipelineSeconds(Lawless(ranks));
    EXPECT_NEAR(p.seconds / truth, 1, 0.1);
    EXPECT_LE(p.low, truth);
    EXPECT_GE(p.high, truth);
  }
}

TEST_F(JoinedTwin, WhatHasLawsIsNotEstimated) {
  for (const int64_t ranks : {4, 8, 16}) {
    Pipeline p;
    p.ranks = ranks;
    Add(p);
  }
  EXPECT_FALSE(At(64).estimated);
}

TEST_F(JoinedTwin, AShareThatIsNotWholeIsWalkedAllTheSame) {
  for (const int64_t ranks : {4, 8, 16, 32}) {
    Pipeline p;
    p.ranks = ranks;
    p.bytes = 200000 / ranks;
    Add(p);
  }
  EXPECT_FALSE(At(64).estimated);
  const ForecastPoint p = At(128);
  EXPECT_TRUE(p.walked && p.estimated) << p.basis;
  EXPECT_FALSE(p.refused) << p.reason;
}

TEST_F(JoinedTwin, AnotherMachineHasATwinToWalk) {
  AddLawless();
  WalkOptions options;
  options.machine.emplace();
  options.machine->compute = 2;
  options.machine->messages = {{0, 2}};
  const ForecastPoint here = At(64), there = At(64, options);
  ASSERT_FALSE(there.refused) << there.reason;
  EXPECT_NEAR(there.seconds / here.seconds, 2, 1e-9);
}

TEST_F(JoinedTwin, TheTraceOfATwinTakesWhatIsForecast) {
  AddLawless();
  ExtrapolationRequest request;
  request.ranks = 64;
  auto made = MakeTwin(inputs_, request);
  ASSERT_TRUE(made.ok()) << made.status().message();
  SetForecastTimes(forecaster_, inputs_, {}, &made->trace);
  const ForecastPoint p = At(64);
  constexpr double kNsPerSecond = 1e9;
  ASSERT_TRUE(made->trace.meta.forecast.has_value());
  EXPECT_NEAR(made->trace.meta.elapsed.max, p.seconds * kNsPerSecond, 1);
  EXPECT_NEAR(made->trace.meta.forecast->low_ns, p.low * kNsPerSecond, 1);
  EXPECT_NEAR(made->trace.meta.forecast->high_ns, p.high * kNsPerSecond, 1);
  EXPECT_EQ(made->trace.meta.forecast->basis, p.basis);
}

// How often a law of one's own was asked for a value.
uint64_t asked = 0;
int64_t CountAsked(const ranksight_law_place*) {
  ++asked;
  return RANKSIGHT_LAW_NONE;
}

// Of searches that anybody with these options made before, or nobody.
ExtrapolationRequest RequestFor(int64_t ranks, const WalkOptions& options) {
  ExtrapolationRequest request;
  request.ranks = ranks;
  request.own_laws = options.own_laws;
  request.searches = options.searches;
  return request;
}

TEST_F(JoinedTwin, LawsThatAForecastSearchedAreNotSearchedForTracesAndTwins) {
  AddLawless();
  WalkOptions options;
  options.own_laws = {
      std::make_shared<const OwnLaw>(OwnLaw{"asked", CountAsked, {}})};
  const auto refused = Extrapolate(inputs_, RequestFor(32, options));
  const auto twin = MakeTwin(inputs_, RequestFor(32, options));
  ASSERT_TRUE(twin.ok()) << twin.status().message();
  ASSERT_GT(asked, 0) << "nobody has searched anything before";
  options.searches = std::make_shared<LawSearches>();
  At(64, options);
  asked = 0;
  const auto refused_again = Extrapolate(inputs_, RequestFor(32, options));
  const auto twin_again = MakeTwin(inputs_, RequestFor(32, options));
  EXPECT_EQ(asked, 0);
  EXPECT_EQ(refused_again.status().message(), refused.status().message());
  ASSERT_TRUE(twin_again.ok()) << twin_again.status().message();
  EXPECT_EQ(twin_again->trace, twin->trace);
  EXPECT_EQ(twin_again->report.laws, twin->report.laws);
}

TEST_F(JoinedTwin, RunsThatMakeOtherCallsAreSearchedThemselves) {
  AddLawless();
  WalkOptions options;
  options.own_laws = {
      std::make_shared<const OwnLaw>(OwnLaw{"asked", CountAsked, {}})};
  options.searches = std::make_shared<LawSearches>();
  At(64, options);
  for (Trace& run : inputs_) {
    Pipeline p = Lawless(run.meta.ranks);
    ++p.bytes;
    run = PipelineRun(p);
  }
  asked = 0;
  (void)Extrapolate(inputs_, RequestFor(32, options));
  EXPECT_GT(asked, 0);
}

TEST_F(JoinedTwin, WhatFewerRunsShowToHaveNoLawIsNotSearchedInAllRuns) {
  for (const int64_t ranks : {3, 5, 7, 11}) {
    inputs_.push_back(RingOfAnyBytes(ranks));
  }
  ExtrapolationRequest request;
  request.ranks = 13;
  request.own_laws = {
      std::make_shared<const OwnLaw>(OwnLaw{"asked", CountAsked, {}})};
  request.searches = std::make_shared<LawSearches>();
  request.hold_out = true;
  asked = 0;
  EXPECT_FALSE(Extrapolate(inputs_, request).ok());
  EXPECT_GT(asked, 0);
  request.hold_out = false;
  asked = 0;
  EXPECT_FALSE(Extrapolate(inputs_, request).ok());
  EXPECT_EQ(asked, 0);
  request.searches = nullptr;
  EXPECT_FALSE(Extrapolate(inputs_, request).ok());
  EXPECT_GT(asked, 0) << "nobody has searched anything before";
}

// How often whoever wants a point of so many ranks is asked whether it goes on.
int LooksFor(JoinedForecaster* joined, const Forecast& laws, int64_t ranks,
             std::string* basis) {
  int looks = 0;
  const Stop stop = [&looks] { return ++looks, reduction::Status::Ok(); };
  ForecastPoint point;
  point.ranks = ranks;
  joined->Walk(laws, stop, &point);
  EXPECT_FALSE(point.walked);
  *basis = point.basis;
  return looks;
}

TEST_F(JoinedTwin, BeyondATwinThatIsTooWideNoneIsWalked) {
  // Work that follows no law either: the interval grows with the ranks.
  for (const int64_t ranks : {3, 5, 7}) {
    Pipeline p = Lawless(ranks);
    p.compute *= ranks == 5 ? 1.5 : 1;
    Add(p);
  }
  const int64_t ranks[] = {64, 128};
  const Forecast laws = forecaster_.At(ranks);
  WalkOptions options;
  options.searches = std::make_shared<LawSearches>();
  std::string alone, after;
  JoinedForecaster other(inputs_, laws.drift, options);
  const int walked = LooksFor(&other, laws, 128, &alone);
  JoinedForecaster joined(inputs_, laws.drift, options);
  LooksFor(&joined, laws, 64, &after);
  const int looked = LooksFor(&joined, laws, 128, &after);
  EXPECT_LT(looked, walked);
  EXPECT_EQ(after, alone) << "as if it had been walked";
}

TEST_F(JoinedTwin, LawsThatWereSearchedForTheTwinAreNotSearchedForItsTimes) {
  AddLawless();
  WalkOptions options;
  options.own_laws = {
      std::make_shared<const OwnLaw>(OwnLaw{"asked", CountAsked, {}})};
  ExtrapolationRequest request;
  request.own_laws = options.own_laws;
  auto maker = TwinMaker::Of(inputs_, request);
  ASSERT_TRUE(maker.ok());
  ASSERT_GT(asked, 0);
  options.twins = std::make_shared<TwinMaker>(std::move(*maker));
  request.ranks = 64;
  auto made = options.twins->Make(request);
  ASSERT_TRUE(made.ok()) << made.status().message();
  asked = 0;
  SetForecastTimes(forecaster_, inputs_, options, &made->trace);
  EXPECT_EQ(asked, 0);
  ASSERT_TRUE(made->trace.meta.forecast.has_value());
  EXPECT_NEAR(made->trace.meta.elapsed.max, 1e9 * At(64).seconds, 1);
}

}  // namespace
}  // namespace ranksight::online_model
