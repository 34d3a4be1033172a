#include "online_model/api/check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "online_model/check/signed_rank.h"
#include "tests/unit/reduction/sample_trace.h"

namespace ranksight::online_model {
namespace {

using reduction::MakeSample;
using reduction::Script;
using reduction::Trace;

// A ring that sends `count` numbers `steps` times; rank 0 to two others where
// `more` says so.
Trace Ring(int64_t ranks, int64_t count, int64_t steps, bool more = false) {
  const auto sample = MakeSample(ranks, [&](int64_t rank, Script* s) {
    s->Init();
    for (int64_t i = 0; i < steps; ++i) {
      s->Send(10, (rank + 1) % ranks, count);
      s->Recv(11, (rank + ranks - 1) % ranks, count);
    }
    if (more && rank == 0) s->Send(10, ranks - 1, 0);
    s->Finalize();
  });
  return sample.trace;
}

std::string Line(const Trace& trace, uint32_t site) {
  return "f" + std::to_string(trace.sites.sites[site].frames.back().offset);
}
std::string NoNames(const Trace&, uint32_t) { return ""; }

Communication Of(std::vector<Trace> traces, const NameSite& name = Line) {
  auto c = CommunicationOf(traces, name);
  EXPECT_TRUE(c.ok()) << c.status().message();
  return *c;
}

CommunicationCheck Compared(const Communication& a, const Communication& b) {
  auto check = CompareCommunication(a, b);
  EXPECT_TRUE(check.ok()) << check.status().message();
  return *check;
}

TEST(Check, TheSameCommunicationIsTheSame) {
  const Communication c = Of({Ring(4, 8, 3), Ring(5, 8, 3)});
  const CommunicationCheck check = Compared(c, c);
  EXPECT_EQ(check.verdict, Verdict::kSame);
  EXPECT_TRUE(check.changes.empty());
  EXPECT_EQ(check.ranks, (std::vector<int64_t>{4, 5}));
}

TEST(Check, MoreCallsAreWorseAndFewerBetter) {
  const Communication few = Of({Ring(4, 8, 3)}), many = Of({Ring(4, 8, 4)});
  const CommunicationCheck check = Compared(few, many);
  EXPECT_EQ(check.verdict, Verdict::kWorse);
  ASSERT_EQ(check.changes.size(), 4u);  // calls and bytes of both sides
  EXPECT_EQ(check.changes[0].quantity, "calls");
  EXPECT_EQ(check.changes[0].sizes[0].before, (Amount{12, 12}));
  EXPECT_EQ(check.changes[0].sizes[0].after, (Amount{16, 16}));
  EXPECT_EQ(Compared(many, few).verdict, Verdict::kBetter);
}

TEST(Check, ADoubledHaloIsNamedByItsBytes) {
  const CommunicationCheck check =
      Compared(Of({Ring(4, 8, 3)}), Of({Ring(4, 16, 3)}));
  EXPECT_EQ(check.verdict, Verdict::kWorse);
  ASSERT_EQ(check.changes.size(), 2u);
  for (const AmountChange& change : check.changes) {
    EXPECT_EQ(change.quantity, "bytes");
    EXPECT_EQ(change.sizes[0].after.most, 2 * change.sizes[0].before.most);
  }
}

TEST(Check, ANeighbourMoreIsNamedByItsPairs) {
  const CommunicationCheck check =
      Compared(Of({Ring(4, 8, 3)}), Of({Ring(4, 8, 3, true)}));
  const auto pairs =
      std::ranges::find(check.changes, "pairs", &AmountChange::quantity);
  ASSERT_NE(pairs, check.changes.end());
  EXPECT_EQ(pairs->place.call, "MPI_Send");
  EXPECT_EQ(pairs->sizes[0].before.most + 1, pairs->sizes[0].after.most);
}

TEST(Check, WhatVariesFromRunToRunIsNotCalledWorse) {
  const Communication varies = Of({Ring(4, 8, 3), Ring(4, 8, 5)});
  EXPECT_EQ(Compared(varies, Of({Ring(4, 8, 4)})).verdict, Verdict::kSame);
  EXPECT_EQ(Compared(varies, Of({Ring(4, 8, 9)})).verdict,
            Verdict::kCannotTell);
}

TEST(Check, RankCountsThatDifferTellNothing) {
  EXPECT_EQ(Compared(Of({Ring(4, 8, 3)}), Of({Ring(5, 8, 3)})).verdict,
            Verdict::kCannotTell);
}

TEST(Check, WithoutNamesOfFunctionsCallsAreCompared) {
  const Communication named = Of({Ring(4, 8, 3)});
  const Communication bare = Of({Ring(4, 8, 3)}, NoNames);
  EXPECT_EQ(Compared(named, bare).verdict, Verdict::kSame);
  EXPECT_EQ(Compared(bare, Of({Ring(4, 9, 3)})).verdict, Verdict::kWorse);
}

TEST(Check, AnotherProgramOrSettingIsWrongUsage) {
  Communication other = Of({Ring(4, 8, 3)});
  other.program = "other";
  EXPECT_EQ(CompareCommunication(other, Of({Ring(4, 8, 3)})).status().code(),
            reduction::StatusCode::kUsage);
  Trace set = Ring(4, 8, 3);
  set.meta.params["size"] = "8";
  EXPECT_EQ(
      CompareCommunication(Of({set}), Of({Ring(4, 8, 3)})).status().code(),
      reduction::StatusCode::kUsage);
}

TEST(Check, ABaselineIsReadAsItWasWritten) {
  Trace set = Ring(4, 8, 3);
  set.meta.program = "ring";
  set.meta.params["size"] = "8 x 8";
  Trace longer = set, larger = Ring(9, 8, 3);
  longer.root = Ring(4, 8, 4).root;
  larger.meta.program = "ring";
  larger.meta.params = set.meta.params;
  const Communication c = Of({set, longer, larger});
  const std::string text = BaselineText(c);
  EXPECT_TRUE(IsBaseline(text));
  const auto read = ReadBaseline(text);
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(*read, c);
  EXPECT_EQ(BaselineText(*read), text);
}

TEST(Check, ADamagedBaselineIsAnErrorOrAnotherBaseline) {
  Trace ring = Ring(4, 8, 3);
  ring.meta.program = "ring";
  const std::string text = BaselineText(Of({ring}));
  std::mt19937 random(7);
  for (int i = 0; i < 5000; ++i) {
    std::string damaged = text;
    const size_t at = random() % damaged.size();
    if (i % 3 == 0) damaged.erase(at, random() % 9);
    if (i % 3 == 1) damaged[at] = char(random());
    if (i % 3 == 2) damaged.insert(at, damaged.substr(random() % (at + 1), 20));
    const auto read = ReadBaseline(damaged);
    if (!read.ok()) continue;
    EXPECT_EQ(*ReadBaseline(BaselineText(*read)), *read) << damaged;
  }
}

TEST(Growth, OfKnownSumsIsTheirLargestTerm) {
  const auto of = [](auto f) {
    std::map<int64_t, uint64_t> values;
    for (const int64_t n : {4, 16, 64, 256}) values[n] = uint64_t(f(n));
    return GrowthOf(values);
  };
  EXPECT_EQ(of([](int64_t) { return 7; }), "1");
  EXPECT_EQ(of([](int64_t n) { return 3 * n; }), "N");
  EXPECT_EQ(of([](int64_t n) { return n * n - n; }), "N^2");
  EXPECT_EQ(
      of([](int64_t n) { return 4 * n - 4 * std::llround(std::sqrt(n)); }),
      "N");
  EXPECT_EQ(of([](int64_t n) { return n * std::llround(std::log2(n)); }),
            "N log N");
  EXPECT_EQ(of([](int64_t n) { return 5 + std::llround(std::log2(n)); }),
            "log N");
  EXPECT_EQ(of([](int64_t n) { return std::llround(std::pow(n, 1.3)); }),
            "about N^1.3");
  EXPECT_EQ(GrowthOf({{4, 4}, {8, 8}}), "");
}

// Every way to give n ranks signs, counted.
TEST(SignedRank, LeavesOutWhatIsAsUnlikelyAsAsked) {
  for (int n = 3; n <= 12; ++n) {
    for (const double alpha : {0.01, 0.025, 0.1}) {
      std::vector<double> differences;
      for (int i = 1; i <= n; ++i) differences.push_back(std::exp2(i));
      std::vector<int> sums;
      for (int signs = 0; signs < 1 << n; ++signs) {
        int sum = 0;
        for (int i = 0; i < n; ++i) sum += signs >> i & 1 ? i + 1 : 0;
        sums.push_back(sum);
      }
      std::ranges::sort(sums);
      // The most s with P(sum <= s) <= alpha.
      int most = -1;
      while (true) {
        const auto upto = std::ranges::upper_bound(sums, most + 1);
        const double chance = double(upto - sums.begin()) / double(sums.size());
        if (chance > alpha) break;
        ++most;
      }
      const auto shift = ShiftOf(differences, alpha);
      ASSERT_EQ(shift.has_value(), most >= 0) << n << ' ' << alpha;
      EXPECT_EQ(shift.has_value(), n >= LeastPairs(alpha));
      if (!shift) continue;
      std::vector<double> means;
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i; ++j) {
          means.push_back((differences[size_t(i)] + differences[size_t(j)]) /
                          2);
        }
      }
      std::ranges::sort(means);
      EXPECT_EQ(shift->low, means[size_t(most)]);
      EXPECT_EQ(shift->high, means[means.size() - 1 - size_t(most)]);
    }
  }
}

// Runs in turn, of what `seconds` says of each.
std::vector<Trace> Runs(int64_t offset, const std::vector<double>& seconds) {
  std::vector<Trace> runs;
  for (size_t i = 0; i < seconds.size(); ++i) {
    Trace t = Ring(4, 8, 3);
    t.meta.elapsed = {};
    for (int rank = 0; rank < 4; ++rank) t.meta.elapsed.Add(seconds[i] * 1e9);
    t.meta.start_unix_ns = int64_t(i) * 2000 + offset;
    runs.push_back(std::move(t));
  }
  return runs;
}

std::vector<double> Noisy(int n, double seconds, double spread, int seed) {
  std::mt19937 random{uint32_t(seed)};
  std::lognormal_distribution<double> noise(std::log(seconds), spread);
  std::vector<double> times;
  for (int i = 0; i < n; ++i) times.push_back(noise(random));
  return times;
}

TEST(CheckTimes, TellSlowerFromNotSlowerAndFromNobodyKnows) {
  const auto verdict = [](double factor, double spread, int n) {
    const auto a = Runs(0, Noisy(n, 1, spread, 1));
    const auto b = Runs(1000, Noisy(n, factor, spread, 2));
    const auto checks = CompareTimes(a, b, Line, 0.05);
    EXPECT_EQ(checks.size(), 1u);
    return checks[0].verdict;
  };
  EXPECT_EQ(verdict(1.1, 0.01, 10), Verdict::kWorse);
  EXPECT_EQ(verdict(1.0, 0.01, 10), Verdict::kSame);
  EXPECT_EQ(verdict(0.8, 0.01, 10), Verdict::kBetter);
  EXPECT_EQ(verdict(1.1, 0.3, 10), Verdict::kCannotTell);
  EXPECT_EQ(verdict(1.1, 0.01, 6), Verdict::kCannotTell);
}

TEST(CheckTimes, BuildsThatWereNotRunInTurnAreNotCompared) {
  const auto a = Runs(0, Noisy(10, 1, 0.01, 1));
  const auto b = Runs(100000, Noisy(10, 1.5, 0.01, 2));
  const auto checks = CompareTimes(a, b, Line, 0.05);
  ASSERT_EQ(checks.size(), 1u);
  EXPECT_EQ(checks[0].verdict, Verdict::kCannotTell);
  EXPECT_EQ(checks[0].reason, "the builds were not run in turn");
}

TEST(CheckTimes, OfOneBuildAreSeldomCalledSlower) {
  int alarms = 0;
  for (int seed = 0; seed < 500; ++seed) {
    const auto checks =
        CompareTimes(Runs(0, Noisy(10, 1, 0.1, 2 * seed)),
                     Runs(1000, Noisy(10, 1, 0.1, 2 * seed + 1)), Line, 0.05);
    alarms += checks[0].verdict == Verdict::kWorse;
  }
  EXPECT_LE(alarms, 10);  // 2 %
}

TEST(CheckBudget, IsMetByTheWholeIntervalOrNobodyCanTell) {
  Forecast forecast;
  const auto add = [&](double low, double high) {
    ForecastPoint point;
    point.ranks = 64;
    point.low = low;
    point.high = high;
    point.seconds = (low + high) / 2;
    forecast.points.push_back(point);
  };
  add(1, 2.9);
  add(2.5, 3.5);
  add(3.1, 4);
  add(1, 2);
  forecast.points.back().refused = true;
  const auto checks = CheckBudget(forecast, 3);
  ASSERT_EQ(checks.size(), 4u);
  EXPECT_EQ(checks[0].verdict, Verdict::kSame);
  EXPECT_EQ(checks[1].verdict, Verdict::kCannotTell);
  EXPECT_EQ(checks[2].verdict, Verdict::kWorse);
  EXPECT_EQ(checks[3].verdict, Verdict::kCannotTell);
}

}  // namespace
}  // namespace ranksight::online_model
