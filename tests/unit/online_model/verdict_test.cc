#include "online_model/api/verdict.h"

#include <gtest/gtest.h>

#include "tests/unit/online_model/synthetic_run.h"

namespace ranksight::online_model {
namespace {

using testing::MakeTrace;
using testing::SyntheticRun;

constexpr reduction::Call kBarrier = reduction::Call::MPI_Barrier_;

// 100 / N computed before one barrier, which takes `growth` N; 2.5 elsewhere.
SyntheticRun Strong(int64_t ranks, double growth = 0.01, double factor = 1) {
  SyntheticRun run;
  run.ranks = ranks;
  const double n = double(ranks);
  run.events = {{kBarrier, 16, factor * 100 / n, factor * growth * n, 10},
                {kBarrier, 32, factor * 2, factor * 0.5, 5}};
  return run;
}

// The same for each rank, and a barrier that takes more of them longer.
SyntheticRun Weak(int64_t ranks, double growth) {
  SyntheticRun run;
  run.ranks = ranks;
  run.events = {{kBarrier, 16, 10, 0.1, 10},
                {kBarrier, 32, 0.1, growth * double(ranks), 5}};
  return run;
}

Forecast At(const std::vector<SyntheticRun>& runs,
            const std::vector<int64_t>& asked) {
  Forecaster forecaster;
  for (const SyntheticRun& run : runs) {
    EXPECT_TRUE(forecaster.AddRun(MakeTrace(run)).ok());
  }
  return forecaster.At(asked);
}

Forecast StrongAt(const std::vector<int64_t>& asked) {
  return At({Strong(4), Strong(9), Strong(16), Strong(25)}, asked);
}

// 110.16 / (100 + 2.5 N + 0.01 N^2) is 0.8 at 14.3; the barrier leads from 200.
TEST(Verdict, SaysHowFarItScalesAndWhatTakesOver) {
  const ScalingVerdict v = Judge(StrongAt({64, 400}));
  EXPECT_EQ(v.kind, VerdictKind::kStops);
  EXPECT_NEAR(double(v.scales_to), 14.3, 1);
  EXPECT_FALSE(v.is_weak);
  EXPECT_EQ(v.call, "MPI_Barrier");
  EXPECT_TRUE(v.in_call);
  EXPECT_EQ(v.text.find("Scales well to about 14 ranks; from there "
                        "MPI_Barrier at app+0x10 takes over; next, run "),
            0u)
      << v.text;
}

TEST(Verdict, OfWeakScalingIsByTimeAlone) {
  std::vector<SyntheticRun> runs;
  for (const int64_t n : {4, 8, 16, 32}) runs.push_back(Weak(n, 0.01));
  // 10.24 / (10.2 + 0.01 N) is 0.8 at 260.
  const ScalingVerdict v = Judge(At(runs, {128, 256, 512}));
  EXPECT_TRUE(v.is_weak);
  EXPECT_EQ(v.kind, VerdictKind::kStops);
  EXPECT_NEAR(double(v.scales_to), 260, 10);
  EXPECT_TRUE(v.in_call);
  EXPECT_EQ(v.site, "app+0x20");
  const ScalingVerdict far = Judge(At(runs, {128}));
  EXPECT_EQ(far.kind, VerdictKind::kScales);
  EXPECT_EQ(far.scales_to, 128);
  EXPECT_EQ(far.text.find("Scales well to at least 128 ranks; next"), 0u)
      << far.text;
}

TEST(Verdict, NamesCauseRemedyAndHowLongThatTakesWhereThereAreTooFewRuns) {
  const ScalingVerdict v = Judge(At({Strong(4), Strong(8)}, {64}));
  EXPECT_EQ(v.kind, VerdictKind::kNothingPromised);
  EXPECT_NE(v.cause.find("at least 3 are needed"), std::string::npos);
  EXPECT_EQ(v.next_run, 16);
  // 27.54 s and 15.08 s were measured, and 100/16 + 2.5 + 0.16 is the truth.
  EXPECT_NEAR(v.next_run_seconds, 8.9, 1);
  EXPECT_NE(v.text.find("; next, run 16 ranks, about 8"), std::string::npos)
      << v.text;
}

TEST(Verdict, SaysOfTheNextRunWhatIsForecastForIt) {
  std::vector<SyntheticRun> runs;
  for (const int64_t n : {4, 8, 16, 32}) runs.push_back(Weak(n, 0.01));
  Forecast f = At(runs, {64, 128});
  f.next_run = 128;
  f.points.back().seconds = 77;
  EXPECT_EQ(Judge(f).next_run_seconds, 77);
  f.points.back().refused = true;
  EXPECT_NEAR(Judge(f).next_run_seconds, 11, 1);
  f.points.back().refused = false;
  f.network = "shared-memory";  // runs take something else here
  for (MeasuredSize& size : f.sizes) size.took_seconds = 20;
  EXPECT_NEAR(Judge(f).next_run_seconds, 20, 1);
}

TEST(Verdict, WritesTimesAsTheyAreRead) {
  for (const auto& [seconds, text] : {std::pair{0.137, "about 140 ms"},
                                      {0.996, "about 1000 ms"},
                                      {0.0996, "about 100 ms"},
                                      {0.0137, "about 14 ms"},
                                      {13.7, "about 14 s"},
                                      {137.0, "about 2 min"}}) {
    std::vector<SyntheticRun> runs = {Strong(4), Strong(8)};
    for (SyntheticRun& run : runs) run.elapsed_seconds = seconds;
    const ScalingVerdict v = Judge(At(runs, {64}));
    EXPECT_NE(v.text.find(text), std::string::npos) << v.text;
  }
}

TEST(Verdict, NamesNoiseWhereRunsOfASizeDiffer) {
  std::vector<SyntheticRun> runs;
  for (const int64_t n : {4, 8, 16, 32}) {
    for (const double factor : {0.4, 1.6}) {
      runs.push_back(Strong(n, 0.01, factor));
    }
  }
  Forecast f = At(runs, {256});
  f.points[0].refused = true;
  f.points[0].reason = "it is too wide";
  const ScalingVerdict v = Judge(f);
  EXPECT_EQ(v.kind, VerdictKind::kNothingPromised);
  EXPECT_EQ(v.cause.find("it is too wide, for runs of one size differ by ±"),
            0u)
      << v.cause;
}

TEST(Verdict, RefusesNoMoreThanWasAskedFor) {
  std::vector<SyntheticRun> runs;
  for (const int64_t n : {4, 8, 16, 32}) runs.push_back(Weak(n, 0.01));
  Forecast f = At(runs, {64, 512, 4096});
  for (ForecastPoint& p : f.points) {
    p.refused = p.ranks > 64;
    p.reason = "it is too wide";
  }
  EXPECT_EQ(Judge(f).text.find("Scales well to 64 ranks, and nothing can be "
                               "promised from 512 on"),
            0u)
      << Judge(f).text;
  // At 64 it may well be promised, who asks.
  std::erase_if(f.points, [](const ForecastPoint& p) { return p.ranks == 64; });
  EXPECT_EQ(Judge(f).text.find("Nothing can be promised from 512 ranks on: "),
            0u)
      << Judge(f).text;
  // Of one that was measured nothing more is known.
  f.points[0].ranks = f.points[1].ranks = 16;
  EXPECT_EQ(Judge(f).text.find("Nothing can be promised beyond the 32 ranks"),
            0u)
      << Judge(f).text;
}

// 10 s and more at 128 ranks, of 10.2 s on the fewest.
TEST(Verdict, IsOnlyGivenWhereBothEndsOfTheIntervalSayTheSame) {
  std::vector<SyntheticRun> runs;
  for (const int64_t n : {4, 8, 16, 32}) runs.push_back(Weak(n, 0.01));
  Forecast f = At(runs, {64, 128});
  ASSERT_EQ(Judge(f).kind, VerdictKind::kScales);
  ForecastPoint& last = f.points.back();
  last.low = last.seconds / 1.2;
  last.high = last.seconds * 1.4;
  ScalingVerdict v = Judge(f);
  EXPECT_EQ(v.kind, VerdictKind::kUnclear);
  EXPECT_EQ(v.scales_to, 64);
  EXPECT_EQ(
      v.text.find("Scales well to 64 ranks; beyond, it cannot be told: at "
                  "128 ranks efficiency is between 64 and "),
      0u)
      << v.text;
  EXPECT_NE(ToJson(f).find("\"weak\""), std::string::npos);
  // Nor that it scales badly, by the figure alone.
  last.efficiency /= 1.5;
  last.seconds *= 1.5;
  last.high = last.seconds * 1.4;
  EXPECT_EQ(Judge(f).kind, VerdictKind::kUnclear) << Judge(f).text;
  last.low = last.seconds / 1.1;
  EXPECT_EQ(Judge(f).kind, VerdictKind::kStops) << Judge(f).text;
}

// One call, before which ranks compute longer the more of them there are: no
// call takes over from another.
TEST(Verdict, SaysInPlainWordsWhichEfficiencyFalls) {
  std::vector<SyntheticRun> runs;
  for (const int64_t n : {4, 8, 16, 32}) {
    SyntheticRun run;
    run.ranks = n;
    run.events = {{kBarrier, 16, 10 + double(n), 0.1, 10}};
    runs.push_back(run);
  }
  Forecast f = At(runs, {64});
  for (MeasuredSize& size : f.sizes) {
    size.efficiencies = Efficiencies();
    size.efficiencies->load_balance = size.efficiencies->serialisation =
        size.efficiencies->transfer = 1;
    size.efficiencies->computation = 14 / (10 + double(size.ranks));
  }
  const ScalingVerdict v = Judge(f);
  EXPECT_EQ(v.factor, "computation") << v.text;
  EXPECT_NE(v.text.find("; from there all ranks together compute for longer "
                        "(efficiency of computation below 80 %)"),
            std::string::npos)
      << v.text;
}

TEST(Verdict, OfRunsThatDifferIsNone) {
  for (const double noise : {0.01, 0.5}) {
    std::vector<SyntheticRun> runs;
    for (const int64_t n : {4, 8, 16}) {
      for (const double factor : {1 - noise, 1 + noise}) {
        runs.push_back(Weak(n, 0));
        runs.back().events[0].compute_seconds *= factor;
      }
    }
    Forecast f = At(runs, {});
    const ScalingVerdict v = Judge(f);
    EXPECT_EQ(v.kind,
              noise < 0.1 ? VerdictKind::kScales : VerdictKind::kUnclear)
        << v.text;
    EXPECT_EQ(v.text.find("How far it scales cannot be told: at 16 ranks "
                          "efficiency is between ") == 0,
              noise > 0.1)
        << v.text;
  }
}

TEST(Verdict, SaysBetweenWhichRankCountsScalingEnds) {
  std::vector<SyntheticRun> runs;
  for (const int64_t n : {4, 8, 16, 32}) runs.push_back(Weak(n, 0.01));
  Forecast f = At(runs, {64, 128, 256, 512, 1024, 2048});
  EXPECT_EQ(Judge(f).text.find("ranks ("), std::string::npos) << Judge(f).text;
  for (ForecastPoint& p : f.points) {
    p.low = p.seconds / 1.2;
    p.high = p.seconds * 1.2;
  }
  const ScalingVerdict v = Judge(f);
  EXPECT_EQ(v.kind, VerdictKind::kStops);
  EXPECT_LT(2 * v.least_scales_to, v.most_scales_to);
  EXPECT_NE(v.text.find(" to " + std::to_string(v.most_scales_to) + "); from "),
            std::string::npos)
      << v.text;
  EXPECT_NE(ToJson(f).find("\"scales_to_interval\""), std::string::npos);
}

TEST(Verdict, OfNothingAsksForRuns) {
  const ScalingVerdict v = Judge(Forecaster().At({}));
  EXPECT_EQ(v.kind, VerdictKind::kNothingMeasured);
  EXPECT_FALSE(v.text.empty());
}

TEST(Verdict, OfMeasuredRunsAloneGoesAsFarAsThese) {
  const ScalingVerdict v =
      Judge(At({Strong(4, 0), Strong(5, 0), Strong(6, 0)}, {}));
  EXPECT_EQ(v.kind, VerdictKind::kScales);
  EXPECT_EQ(v.scales_to, 6);
}

// What a run took where ranks shared cores is not what is forecast.
TEST(Verdict, TimesOfRunsAreThoseOnTheCoresThatTheyHad) {
  Forecast f = At({Strong(4), Strong(8)}, {64});
  f.network = "its";
  EXPECT_EQ(Judge(f).next_run_seconds, 0);
  f.sizes[0].took_seconds = 10;
  f.sizes[1].took_seconds = 40;
  EXPECT_NEAR(Judge(f).next_run_seconds, 160, 1e-6);
}

TEST(Refusals, SayEachReasonOnce) {
  Forecast f = StrongAt({64, 1601, 1602, 1603, 1604, 1605});
  const auto refusals = Refusals(f);
  ASSERT_EQ(refusals.size(), 1u);
  EXPECT_EQ(refusals[0].Ranks(), "5 sizes from 1601 to 1605");
  f.points[0].refused = true;
  f.points[0].reason = "another";
  f.points[1].reason = "another";
  EXPECT_EQ(Refusals(f)[0].Ranks(), "64, 1601");
  EXPECT_EQ(Refusals(f).size(), 2u);
}

TEST(Verdict, StandsFirstInTheTextAndInJson) {
  const Forecast f = StrongAt({64, 100000});
  const std::string text = ToText(f);
  EXPECT_EQ(text.find(Judge(f).text + "\n"), 0u) << text;
  EXPECT_NE(text.find("       25  "), std::string::npos);
  EXPECT_NE(text.find("measured, 1 run\n"), std::string::npos);
  const std::string json = ToJson(f);
  EXPECT_NE(json.find("\"verdict\""), std::string::npos);
  EXPECT_NE(json.find("\"scales_to\""), std::string::npos);
}

// The other is of work that the program does not do, and may be thousands of
// percent.
TEST(Verdict, TheTextHasTheEfficiencyOfTheScalingAlone) {
  const std::string strong = ToText(StrongAt({36, 64}));
  EXPECT_NE(strong.find("strong efficiency\n"), std::string::npos) << strong;
  EXPECT_EQ(strong.find("weak"), std::string::npos) << strong;
  std::vector<SyntheticRun> runs;
  for (const int64_t n : {4, 8, 16, 32}) runs.push_back(Weak(n, 0.01));
  const std::string weak = ToText(At(runs, {128}));
  EXPECT_NE(weak.find("weak efficiency\n"), std::string::npos) << weak;
  EXPECT_EQ(weak.find("strong"), std::string::npos) << weak;
  // 10.24 s / 11.46 s, which is 0.8936.
  EXPECT_NE(weak.find("     11.46 s "), std::string::npos) << weak;
  EXPECT_NE(weak.find(" 89.3 %\n"), std::string::npos) << weak;
}

TEST(Verdict, WeakScalingIsSaidAlsoWhereNothingIsPromised) {
  std::vector<SyntheticRun> runs;
  for (const int64_t n : {4, 8, 16, 32}) runs.push_back(Weak(n, 0.01));
  const Forecast f = At(runs, {1 << 20});
  ASSERT_EQ(Judge(f).kind, VerdictKind::kNothingPromised);
  EXPECT_NE(ToJson(f).find("\"scaling\": \"weak\""), std::string::npos)
      << ToJson(f);
}

// Who asks for few rank counts is told what is said of all.
TEST(Verdict, OfMoreRankCountsIsThatOfThose) {
  const Forecast wide = StrongAt({36, 64, 100, 400});
  Forecast narrow = StrongAt({36});
  ASSERT_NE(Judge(narrow).text, Judge(wide).text);
  narrow.judged_by = std::make_shared<const Forecast>(wide);
  EXPECT_EQ(Judge(narrow).text, Judge(wide).text);
  EXPECT_EQ(ToText(narrow).find(Judge(wide).text), 0u);
  EXPECT_NE(ToJson(narrow).find(Judge(wide).text), std::string::npos);
}

// Two runs to make next, and no word on why, would be none.
TEST(Verdict, AnotherRunForWhatWasAskedIsToldFromTheOneOfTheVerdict) {
  Forecast narrow = StrongAt({36});
  Forecast wide = narrow;
  narrow.judged_by = std::make_shared<const Forecast>(wide);
  EXPECT_NE(ToText(narrow).find("next run: "), std::string::npos);
  wide.next_run = narrow.next_run + 1;
  narrow.judged_by = std::make_shared<const Forecast>(wide);
  EXPECT_NE(ToText(narrow).find("next run for these rank counts alone: " +
                                std::to_string(narrow.next_run) + " ranks"),
            std::string::npos)
      << ToText(narrow);
}

}  // namespace
}  // namespace ranksight::online_model
