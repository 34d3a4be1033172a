#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "online_model/api/forecast.h"
#include "tests/unit/online_model/synthetic_run.h"

namespace ranksight::online_model {
namespace {

using reduction::StatusCode;
using testing::MakeTrace;
using testing::SyntheticRun;

// Computation that falls as 1/N and a collective that grows with N.
SyntheticRun StrongScaling(int64_t ranks, double factor = 1) {
  SyntheticRun run;
  run.ranks = ranks;
  const double n = double(ranks);
  run.events.push_back({reduction::Call::MPI_Barrier_, 16, factor * 100 / n,
                        factor * 0.01 * n, 10});
  run.events.push_back(
      {reduction::Call::MPI_Barrier_, 32, factor * 2, factor * 0.5, 5});
  return run;
}

double TotalAt(double n) { return 100 / n + 0.01 * n + 2.5; }

Forecaster Measured(const std::vector<int64_t>& ranks) {
  Forecaster forecaster;
  for (int64_t n : ranks) {
    EXPECT_TRUE(forecaster.AddRun(MakeTrace(StrongScaling(n))).ok());
  }
  return forecaster;
}

TEST(Forecaster, AddsUpPartsThatNoSingleModelDescribes) {
  const Forecaster forecaster = Measured({4, 9, 16, 25});
  const std::vector<int64_t> asked = {64, 100, 400};
  const Forecast f = forecaster.At(asked);
  ASSERT_EQ(f.points.size(), 3u);
  for (const ForecastPoint& p : f.points) {
    ASSERT_FALSE(p.refused) << p.reason;
    const double truth = TotalAt(double(p.ranks));
    EXPECT_NEAR(p.seconds, truth, 0.02 * truth) << p.ranks;
    EXPECT_LE(p.low, truth);
    EXPECT_GE(p.high, truth);
    const double compute = 100.0 / double(p.ranks) + 2;
    EXPECT_NEAR(p.compute_share, compute / truth, 0.01);
    EXPECT_NEAR(p.compute_share + p.call_share, 1, 1e-9);
    EXPECT_NEAR(p.efficiency, TotalAt(4) * 4 / (p.seconds * double(p.ranks)),
                1e-9);
  }
}

TEST(Forecaster, WhatMpiInitTakesIsNoPartOfTheRun) {
  Forecaster forecaster;
  for (int64_t n : {4, 9, 16, 25}) {
    SyntheticRun run = StrongScaling(n);
    run.elapsed_seconds = TotalAt(double(n));
    run.events.push_back(
        {reduction::Call::MPI_Init_, 48, 0, double(50 + n), 1});
    ASSERT_TRUE(forecaster.AddRun(MakeTrace(run)).ok());
  }
  const std::vector<int64_t> asked = {100};
  EXPECT_NEAR(forecaster.At(asked).points[0].seconds, TotalAt(100),
              0.02 * TotalAt(100));
}

TEST(Forecaster, NamesTheCallSiteThatGrows) {
  const Forecaster forecaster = Measured({4, 9, 16, 25});
  // Not 400, where this site costs what it costs at 25.
  const std::vector<int64_t> asked = {900};
  const Forecast f = forecaster.At(asked);
  ASSERT_FALSE(f.growing.empty());
  EXPECT_EQ(f.growing[0].call, "MPI_Barrier");
  EXPECT_NE(f.growing[0].site.find("10"), std::string::npos);  // app+0x10
  EXPECT_EQ(f.growing[0].model.shape.power, 1);
  EXPECT_EQ(f.growing[0].model.shape.log_power, 0);
  EXPECT_GT(f.growing[0].share_then, f.growing[0].share_now);
}

// 2 + 100 / N of computation before and 0.01 N in the barrier at 16: computing
// takes more until 0.01 N > 2 (the events at 32, from 100 / N < 2 on, lead
// between).
TEST(Forecaster, SaysFromWhichRankCountOnACallSiteDominates) {
  const Forecaster forecaster = Measured({4, 9, 16, 25});
  const std::vector<int64_t> asked = {400};
  const Forecast f = forecaster.At(asked);
  ASSERT_EQ(f.dominant.size(), 3u);
  EXPECT_EQ(f.dominant[0].from_ranks, 4);
  EXPECT_FALSE(f.dominant[0].in_call);
  EXPECT_NEAR(f.dominant[0].share, 25 / TotalAt(4), 0.01);
  EXPECT_NEAR(double(f.dominant[1].from_ranks), 51, 1);
  EXPECT_FALSE(f.dominant[1].in_call);
  EXPECT_NEAR(double(f.dominant[2].from_ranks), 201, 4);
  EXPECT_TRUE(f.dominant[2].in_call);
  EXPECT_NE(ToText(f).find("most time"), std::string::npos);
  EXPECT_NE(ToJson(f).find("\"dominant\""), std::string::npos);
}

// 100 / N + 0.01 N + 2.5 is least at 100 ranks.
TEST(Forecaster, NamesTheRankCountForATimeAndForABudget) {
  const Forecaster forecaster = Measured({4, 9, 16, 25});
  const std::vector<int64_t> asked = {16, 36, 64, 100, 400};
  Forecast f = forecaster.At(asked);
  BestSize best = ChooseSize(f, {.within_seconds = 6});
  EXPECT_EQ(best.ranks, 36);
  EXPECT_TRUE(best.sure);
  EXPECT_NEAR(best.rank_hours, 36 * TotalAt(36) / 3600, 1e-3);
  best = ChooseSize(f, {.budget_rank_hours = 1});
  EXPECT_EQ(best.ranks, 100);
  best = ChooseSize(f, {.budget_rank_hours = 0.06});
  EXPECT_EQ(best.ranks, 36);
  f.best = ChooseSize(f, {.within_seconds = 1});
  EXPECT_EQ(f.best->ranks, 0);
  EXPECT_NE(ToText(f).find("the fastest is 100"), std::string::npos);
  EXPECT_NE(ToJson(f).find("\"reason\""), std::string::npos);
}

TEST(Forecaster, RefusesWithFewerThanThreeRankCounts) {
  const Forecaster forecaster = Measured({4, 9, 9, 4});
  const std::vector<int64_t> asked = {16};
  const Forecast f = forecaster.At(asked);
  EXPECT_TRUE(f.points[0].refused);
  EXPECT_NE(f.points[0].reason.find("at least 3"), std::string::npos);
  EXPECT_EQ(f.next_run, 16);
  // A figure stands beside the refusal.
  EXPECT_GT(f.points[0].seconds, 0.5 * TotalAt(16));
  EXPECT_LT(f.points[0].seconds, 2 * TotalAt(16));
  EXPECT_LT(f.points[0].low, TotalAt(16));
  EXPECT_GT(f.points[0].high, TotalAt(16));
  EXPECT_EQ(Measured({4, 4}).At(asked).points[0].seconds, 0);
}

TEST(Forecaster, RefusesBeyondSixtyFourTimesTheLargestRun) {
  const Forecaster forecaster = Measured({4, 9, 16});
  const std::vector<int64_t> asked = {1025, 0, -3};
  const Forecast f = forecaster.At(asked);
  for (const ForecastPoint& p : f.points) {
    EXPECT_TRUE(p.refused);
    EXPECT_EQ(p.HasFigure(), p.ranks == 1025);
  }
  EXPECT_NE(f.points[0].reason.find("64 times"), std::string::npos);
}

TEST(Forecaster, RefusesWhenTheIntervalIsTooWide) {
  Forecaster forecaster;
  double factor = 0.4;
  for (int64_t n : {4, 8, 16, 32}) {  // 0.4, 2.5, 0.4, 2.5 times the law
    ASSERT_TRUE(forecaster.AddRun(MakeTrace(StrongScaling(n, factor))).ok());
    factor = 1 / factor;
  }
  const std::vector<int64_t> asked = {256};
  const Forecast f = forecaster.At(asked);
  EXPECT_TRUE(f.points[0].refused);
  EXPECT_NE(f.points[0].reason.find("interval"), std::string::npos);
  EXPECT_GT(f.points[0].seconds, 0);
  EXPECT_GT(f.points[0].high, 1.5 * f.points[0].low);
  EXPECT_NE(ToText(f).find("not to be relied on"), std::string::npos);
  EXPECT_NE(ToJson(f).find("\"high\""), std::string::npos);
  EXPECT_GT(f.next_run, 0);
  EXPECT_FALSE(f.next_run_reason.empty());
}

TEST(Forecaster, AsksForTheNextSizeOfThePattern) {
  const std::vector<int64_t> asked = {1000};
  const int64_t square = Measured({4, 9, 16, 25}).At(asked).next_run;
  EXPECT_EQ(std::lround(std::sqrt(double(square))) *
                std::lround(std::sqrt(double(square))),
            square);
  const int64_t cube = Measured({8, 27, 64}).At(asked).next_run;
  EXPECT_TRUE(cube == 64 || cube == 125 || cube == 216) << cube;
  const int64_t power = Measured({4, 8, 16}).At(asked).next_run;
  EXPECT_TRUE(power == 16 || power == 32 || power == 64) << power;
}

TEST(Forecaster, NeverAsksForTheRunThatItSpares) {
  for (int64_t asked : {17, 20, 24, 32, 40, 64}) {
    const std::vector<int64_t> ranks = {asked};
    EXPECT_LT(Measured({4, 9, 16}).At(ranks).next_run, asked);
    EXPECT_LT(Measured({4, 8, 16}).At(ranks).next_run, asked);
  }
}

TEST(Forecaster, WhatIsNestedWithoutEndIsNothingItHadLearned) {
  // Arrays, maps, tags, and strings and bytes in pieces of pieces.
  for (const uint8_t head : {0x81, 0xa1, 0xc1, 0x7f, 0x5f, 0x9f, 0xbf}) {
    const std::vector<uint8_t> nested(1000000, head);
    EXPECT_FALSE(Forecaster::Decode(nested).ok()) << int(head);
  }
  std::vector<uint8_t> mixed;
  for (int i = 0; i < 500000; ++i) {
    mixed.insert(mixed.end(), {0xa1, 0x61, 'a', 0x81});
  }
  EXPECT_FALSE(Forecaster::Decode(mixed).ok());
}

TEST(Forecaster, GoesOnFromWhatItHadLearned) {
  Forecaster whole, part;
  const std::vector<int64_t> asked = {36, 100};
  for (int64_t n : {4, 9}) {
    ASSERT_TRUE(whole.AddRun(MakeTrace(StrongScaling(n, 1))).ok());
    ASSERT_TRUE(part.AddRun(MakeTrace(StrongScaling(n, 1))).ok());
  }
  const auto bytes = part.Encode();
  auto later = Forecaster::Decode(bytes);
  ASSERT_TRUE(later.ok()) << later.status().message();
  for (int64_t n : {16, 25}) {
    ASSERT_TRUE(whole.AddRun(MakeTrace(StrongScaling(n, 1))).ok());
    ASSERT_TRUE(later->AddRun(MakeTrace(StrongScaling(n, 1))).ok());
  }
  EXPECT_EQ(ToJson(later->At(asked)), ToJson(whole.At(asked)));
  for (size_t size = 0; size < bytes.size(); size += 7) {
    EXPECT_FALSE(Forecaster::Decode({bytes.data(), size}).ok());
  }
}

TEST(Forecaster, TheOrderOfRunsDoesNotMatter) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> draw(0.95, 1.05);
  std::vector<reduction::Trace> runs;
  for (int64_t n : {4, 9, 16, 25}) {
    for (int i = 0; i < 3; ++i) {
      runs.push_back(MakeTrace(StrongScaling(n, draw(random))));
    }
  }
  const std::vector<int64_t> asked = {36, 100};
  std::vector<Forecast> results;
  for (int i = 0; i < 5; ++i) {
    Forecaster forecaster;
    for (const auto& run : runs) ASSERT_TRUE(forecaster.AddRun(run).ok());
    results.push_back(forecaster.At(asked));
    std::shuffle(runs.begin(), runs.end(), random);
  }
  for (const Forecast& f : results) {
    EXPECT_EQ(f.measured, (std::vector<int64_t>{4, 9, 16, 25}));
    EXPECT_EQ(f.repetitions, (std::vector<uint64_t>{3, 3, 3, 3}));
    EXPECT_EQ(f.next_run, results[0].next_run);
    for (size_t i = 0; i < asked.size(); ++i) {
      EXPECT_NEAR(f.points[i].seconds, results[0].points[i].seconds, 1e-7);
      EXPECT_NEAR(f.points[i].low, results[0].points[i].low, 1e-6);
      EXPECT_NEAR(f.points[i].high, results[0].points[i].high, 1e-6);
    }
  }
}

// Fresh runs at a size never measured, with noise common to a run and noise
// of each part, against the intervals of the total.
TEST(Forecaster, IntervalsOfTheTotalHoldFreshRuns) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> shared(0, 0.02), own(0, 0.03);
  const auto noisy = [&](int64_t ranks) {
    SyntheticRun run = StrongScaling(ranks, std::exp(shared(random)));
    for (auto& e : run.events) {
      e.compute_seconds *= std::exp(own(random));
      e.call_seconds *= std::exp(own(random));
    }
    return MakeTrace(run);
  };
  constexpr int kDraws = 200;
  int held = 0, answered = 0;
  const std::vector<int64_t> asked = {64};
  for (int i = 0; i < kDraws; ++i) {
    Forecaster forecaster;
    for (int64_t n : {4, 9, 16, 25}) {
      for (int r = 0; r < 2; ++r) {
        ASSERT_TRUE(forecaster.AddRun(noisy(n)).ok());
      }
    }
    const ForecastPoint p = forecaster.At(asked).points[0];
    if (p.refused) continue;
    ++answered;
    const double fresh = noisy(64).meta.elapsed.max * 1e-9;
    held += fresh >= p.low && fresh <= p.high;
  }
  EXPECT_GT(answered, kDraws / 2);
  EXPECT_GE(held, 0.85 * answered);
}

TEST(Forecaster, TakesNoRunOfAnotherProgramBuildOrParametersNorAPartOfOne) {
  Forecaster forecaster = Measured({4});
  reduction::Trace other = MakeTrace(StrongScaling(9));
  other.meta.program = "other";
  EXPECT_EQ(forecaster.AddRun(other).code(), StatusCode::kNo);
  other = MakeTrace(StrongScaling(9));
  other.meta.build_id = "b2";
  EXPECT_EQ(forecaster.AddRun(other).code(), StatusCode::kNo);
  other = MakeTrace(StrongScaling(9));
  other.meta.params["size"] = "7";
  EXPECT_EQ(forecaster.AddRun(other).code(), StatusCode::kNo);
  other = MakeTrace(StrongScaling(9));
  other.meta.complete = false;
  EXPECT_EQ(forecaster.AddRun(other).code(), StatusCode::kNo);
  other = MakeTrace(StrongScaling(9));
  other.meta.origin = reduction::Origin::kExtrapolated;
  EXPECT_EQ(forecaster.AddRun(other).code(), StatusCode::kNo);
  EXPECT_EQ(forecaster.At({}).measured, std::vector<int64_t>{4});
}

TEST(Forecaster, KnowsASiteAgainWhenItsIndexHasChanged) {
  Forecaster forecaster;
  for (int64_t n : {4, 9, 16}) {
    SyntheticRun run = StrongScaling(n);
    if (n == 9) std::swap(run.events[0], run.events[1]);
    ASSERT_TRUE(forecaster.AddRun(MakeTrace(run)).ok());
  }
  const reduction::Trace base = MakeTrace(StrongScaling(16));
  const reduction::Node& event = base.root.children[0].children[0];
  const std::vector<int64_t> at = {64};
  const Forecaster::EventTime t = forecaster.EventAt(base, event, at)[0];
  EXPECT_NEAR(t.compute_ns, 100.0 / 64 / 10 * 1e9, 1e3);
  EXPECT_NEAR(t.call_ns, 0.01 * 64 / 10 * 1e9, 1e3);
}

// A ring: each of N - 1 steps takes W / N^2, which makes (N - 1) W / N^2 of
// them all; and work handed out, W in all, in pieces as many as come.
TEST(Forecaster, OneOccurrenceMayFollowASimplerLawThanAllOfThem) {
  const auto ring = [](int64_t ranks) {
    SyntheticRun run;
    run.ranks = ranks;
    const double n = double(ranks);
    run.events.push_back({reduction::Call::MPI_Send_, 16,
                          (n - 1) * 40 / (n * n), (n - 1) * 1e-3,
                          uint64_t(ranks - 1)});
    const auto pieces = uint64_t(20 + 7 * ranks % 11);
    run.events.push_back(
        {reduction::Call::MPI_Recv_, 32, 40 / n, 1e-3, pieces});
    return run;
  };
  Forecaster forecaster;
  for (const int64_t n : {4, 8, 16, 32}) {
    ASSERT_TRUE(forecaster.AddRun(MakeTrace(ring(n))).ok());
  }
  const reduction::Trace base = MakeTrace(ring(32));
  const std::vector<int64_t> at = {64, 128, 512};
  const auto& loops = base.root.children;
  const auto step = forecaster.EventAt(base, loops[0].children[0], at);
  const auto piece = forecaster.EventAt(base, loops[1].children[0], at);
  for (size_t i = 0; i < at.size(); ++i) {
    const double n = double(at[i]);
    EXPECT_NEAR(step[i].compute_ns / (40e9 / (n * n)), 1, 1e-3) << n;
    EXPECT_NEAR(step[i].call_ns, 1e6, 1e3) << n;
    // Of so many pieces as there are now and then the whole is handed out.
    EXPECT_NEAR(piece[i].compute_ns * n * 25 / 40e9, 1, 0.3) << n;
  }
}

TEST(Forecaster, AnEventNeverSeenKeepsItsOwnTime) {
  const Forecaster forecaster = Measured({4, 9, 16});
  SyntheticRun run;
  run.events.push_back({reduction::Call::MPI_Barrier_, 999, 3, 1, 10});
  const reduction::Trace base = MakeTrace(run);
  const std::vector<int64_t> at = {64};
  const auto t =
      forecaster.EventAt(base, base.root.children[0].children[0], at)[0];
  EXPECT_NEAR(t.compute_ns, 0.3e9, 1);
  EXPECT_NEAR(t.call_ns, 0.1e9, 1);
}

TEST(Forecaster, AnswersWithNothingWhenNothingWasMeasured) {
  const std::vector<int64_t> asked = {64};
  const Forecast f = Forecaster().At(asked);
  EXPECT_TRUE(f.points[0].refused);
  EXPECT_EQ(f.next_run, 0);
}

// A run whose loop takes 100 iterations and whose sweeps take sqrt(N): what is
// left of it after `share` of each. Beyond 50 ranks the collective is 40 %
// slower than at the sizes measured.
SyntheticRun Iterating(int64_t ranks, double share = 1) {
  SyntheticRun run;
  run.job = "j" + std::to_string(ranks);
  run.ranks = ranks;
  const double n = double(ranks), slower = n > 50 ? 1.4 : 1;
  const auto add = [&](uint64_t offset, double times, double compute,
                       double call) {
    const double seen = std::floor(share * times);
    if (seen < 1) return;
    run.events.push_back({reduction::Call::MPI_Barrier_, offset, compute * seen,
                          call * seen, uint64_t(seen)});
  };
  add(16, 100, 2 / n, slower * 2e-3 * std::log2(n));
  add(32, std::sqrt(n), 0.1, 0.01);
  if (share == 1) add(48, 1, 0.2, 0.05);  // at the end
  return run;
}

double IteratingAt(double n) {
  return 200 / n + (n > 50 ? 1.4 : 1) * 0.2 * std::log2(n) +
         0.11 * std::sqrt(n) + 0.25;
}

reduction::Trace SoFar(int64_t ranks, double share) {
  reduction::Trace trace = MakeTrace(Iterating(ranks, share));
  trace.meta.complete = false;
  return trace;
}

Forecaster Iterated() {
  Forecaster forecaster;
  for (int64_t n : {4, 9, 16, 25, 36}) {
    EXPECT_TRUE(forecaster.AddRun(MakeTrace(Iterating(n))).ok());
  }
  return forecaster;
}

TEST(ForecasterUnderWay, AFewIterationsTellWhatTheWholeRunWillTake) {
  Forecaster forecaster = Iterated();
  const std::vector<int64_t> asked = {64, 144};
  const Forecast before = forecaster.At(asked);
  double apart = 1;
  for (const double share : {0.1, 0.5, 0.9}) {
    ASSERT_TRUE(forecaster.SetUnderWay(SoFar(64, share)).ok());
    const Forecast f = forecaster.At(asked);
    ASSERT_EQ(f.under_way.size(), 1u);
    const RunUnderWay& run = f.under_way[0];
    ASSERT_TRUE(run.used) << run.reason;
    EXPECT_EQ(run.job, "j64");
    // The event at the end was not seen: its law, exact, stands for it.
    EXPECT_NEAR(run.seconds, IteratingAt(64), 0.02 * IteratingAt(64)) << share;
    EXPECT_NEAR(run.share_seen, share, 0.1);
    const double error = std::abs(f.points[0].seconds / IteratingAt(64) - 1);
    EXPECT_LT(error, apart) << share;
    apart = error;
  }
  EXPECT_LT(apart, 0.04);
  EXPECT_GT(std::abs(before.points[0].seconds / IteratingAt(64) - 1), 0.05);
  // What is further out has learned from it, too.
  const Forecast after = forecaster.At(asked);
  const double truth = IteratingAt(144);
  EXPECT_LT(std::abs(after.points[1].seconds - truth),
            std::abs(before.points[1].seconds - truth));
  EXPECT_EQ(after.measured, before.measured);
}

TEST(ForecasterUnderWay, TheStoredRunTakesThePlaceOfWhatWasSeenOfIt) {
  Forecaster watched = Iterated(), plain = Iterated();
  ASSERT_TRUE(watched.SetUnderWay(SoFar(64, 0.3)).ok());
  const std::vector<int64_t> asked = {100};
  EXPECT_NE(watched.At(asked).points[0].seconds,
            plain.At(asked).points[0].seconds);
  for (Forecaster* f : {&watched, &plain}) {
    ASSERT_TRUE(f->AddRun(MakeTrace(Iterating(64))).ok());
  }
  EXPECT_TRUE(watched.At(asked).under_way.empty());
  EXPECT_EQ(watched.At(asked).points[0].seconds,
            plain.At(asked).points[0].seconds);
  EXPECT_EQ(watched.Encode(), plain.Encode());
}

TEST(ForecasterUnderWay, ARunThatIsGivenUpLeavesNothing) {
  Forecaster watched = Iterated();
  const std::vector<int64_t> asked = {100};
  const double seconds = watched.At(asked).points[0].seconds;
  ASSERT_TRUE(watched.SetUnderWay(SoFar(64, 0.3)).ok());
  EXPECT_EQ(watched.UnderWay(), std::vector<std::string>{"j64"});
  watched.EndUnderWay("j64");
  EXPECT_EQ(watched.At(asked).points[0].seconds, seconds);
  EXPECT_TRUE(watched.UnderWay().empty());
}

TEST(ForecasterUnderWay, ARunUnlikeTheOthersIsNotUsed) {
  Forecaster forecaster = Iterated();
  SyntheticRun other = Iterating(64, 0.5);
  other.events[0].offset = 4711;
  reduction::Trace strange = MakeTrace(other);
  strange.meta.complete = false;
  ASSERT_TRUE(forecaster.SetUnderWay(strange).ok());
  const Forecast f = forecaster.At({});
  ASSERT_EQ(f.under_way.size(), 1u);
  EXPECT_FALSE(f.under_way[0].used);
  EXPECT_FALSE(f.under_way[0].reason.empty());
  SyntheticRun longer = Iterating(64, 0.5);
  longer.events[0].occurrences = 500;
  strange = MakeTrace(longer);
  ASSERT_TRUE(forecaster.SetUnderWay(strange).ok());
  EXPECT_FALSE(forecaster.At({}).under_way[0].used);
}

TEST(ForecasterUnderWay, NeedsSizesToKnowHowOftenAnEventWillOccur) {
  Forecaster forecaster;
  EXPECT_EQ(forecaster.SetUnderWay(SoFar(64, 0.3)).code(), StatusCode::kNo);
  ASSERT_TRUE(forecaster.AddRun(MakeTrace(Iterating(4))).ok());
  ASSERT_TRUE(forecaster.SetUnderWay(SoFar(64, 0.3)).ok());
  EXPECT_FALSE(forecaster.At({}).under_way[0].used);
}

TEST(ForecasterUnderWay, TextAndJsonSayThatItIsProvisional) {
  Forecaster forecaster = Iterated();
  ASSERT_TRUE(forecaster.SetUnderWay(SoFar(64, 0.5)).ok());
  const std::vector<int64_t> asked = {100};
  const Forecast f = forecaster.At(asked);
  EXPECT_NE(ToText(f).find("under way: 64 ranks"), std::string::npos);
  EXPECT_NE(ToText(f).find("provisional"), std::string::npos);
  EXPECT_NE(ToJson(f).find("\"share_seen\""), std::string::npos);
}

// Runs at 4, 9, 16, 25 ranks in turn, which spread by 1 %; from run `since` on
// all of them take `factor` times as long.
Forecaster Drifting(int runs, int since, double factor, uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(1, 0.01);
  Forecaster forecaster;
  for (int i = 0; i < runs; ++i) {
    const int64_t ranks[] = {4, 9, 16, 25};
    reduction::Trace trace = MakeTrace(
        StrongScaling(ranks[i % 4], noise(random) * (i < since ? 1 : factor)));
    trace.meta.start_unix_ns = 1000 + i;
    trace.meta.job = "j" + std::to_string(i);
    EXPECT_TRUE(forecaster.AddRun(trace).ok());
  }
  return forecaster;
}

TEST(ForecasterDrift, SaysSinceWhichRunTheMachineIsSlowerAndForecastsForIt) {
  const std::vector<int64_t> asked = {100};
  const Forecast f = Drifting(24, 14, 1.3, 1).At(asked);
  ASSERT_TRUE(f.drift.has_value());
  EXPECT_EQ(f.drift->job, "j14");
  EXPECT_EQ(f.drift->since_unix_ns, 1014);
  EXPECT_LE(f.drift->low, 1.3);
  EXPECT_GE(f.drift->high, 1.3);
  EXPECT_NEAR(f.points[0].seconds, 1.3 * TotalAt(100), 0.04 * TotalAt(100));
  EXPECT_GE(f.points[0].high, 1.3 * TotalAt(100));
  EXPECT_NE(ToText(f).find("since run j14"), std::string::npos);
  EXPECT_NE(ToJson(f).find("\"since_job\": \"j14\""), std::string::npos);
}

TEST(ForecasterDrift, ASizeMeasuredOnlyBeforeIsScaled) {
  Forecaster forecaster;
  int at = 0;
  const auto add = [&](int64_t ranks, double factor) {
    reduction::Trace trace =
        MakeTrace(StrongScaling(ranks, factor * (at % 2 == 0 ? 1.005 : 1)));
    trace.meta.start_unix_ns = ++at;
    ASSERT_TRUE(forecaster.AddRun(trace).ok());
  };
  for (const int64_t n : {4, 4, 9, 9, 16, 16, 25, 25}) add(n, 1);
  for (const int64_t n : {4, 4, 9, 9}) add(n, 0.5);  // a faster machine
  const std::vector<int64_t> asked = {25};
  const Forecast f = forecaster.At(asked);
  ASSERT_TRUE(f.drift.has_value());
  EXPECT_EQ(f.drift->since_unix_ns, 9);
  EXPECT_NEAR(f.points[0].seconds, 0.5 * TotalAt(25), 0.02 * TotalAt(25));
  // What was learned is kept.
  const auto again = Forecaster::Decode(forecaster.Encode());
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(ToJson(again->At(asked)), ToJson(f));
}

TEST(ForecasterDrift, SpreadIsNoDrift) {
  int found = 0;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    found += Drifting(24, 24, 1, seed).At({}).drift.has_value();
  }
  EXPECT_LE(found, 2);
}

TEST(ForecastReport, TextAndJsonCarryValuesRefusalsAndAdvice) {
  const Forecaster forecaster = Measured({4, 9, 16, 25});
  const std::vector<int64_t> asked = {400, 100000};
  const Forecast f = forecaster.At(asked);
  const std::string text = ToText(f);
  EXPECT_NE(text.find("100000  refused: more than 64 times"), std::string::npos)
      << text;
  EXPECT_NE(text.find("next run: "), std::string::npos);
  EXPECT_EQ(text.back(), '\n');
  const std::string json = ToJson(f);
  EXPECT_NE(json.find("\"strong_efficiency\""), std::string::npos);
  EXPECT_NE(json.find("\"refused\": true"), std::string::npos);
  EXPECT_NE(json.find("\"next_run\""), std::string::npos);
}

// A cost that grew by its order would take hours, longer than a test may.
TEST(Forecaster, TenThousandSeriesAtEightSizesAreRefitted) {
  Forecaster forecaster;
  for (int64_t n : {2, 4, 8, 16, 32, 64, 128, 256}) {
    SyntheticRun run;
    run.ranks = n;
    for (uint64_t i = 0; i < 3334; ++i) {
      run.events.push_back({reduction::Call::MPI_Barrier_, i,
                            1e-3 * double(i % 7 + 1) / double(n),
                            1e-5 * double(i % 5), 2});
    }
    reduction::Trace trace = MakeTrace(run);
    ASSERT_TRUE(forecaster.AddRun(trace).ok());
  }
  const std::vector<int64_t> asked = {1024};
  const Forecast f = forecaster.At(asked);
  EXPECT_FALSE(f.points[0].refused) << f.points[0].reason;
}

}  // namespace
}  // namespace ranksight::online_model
