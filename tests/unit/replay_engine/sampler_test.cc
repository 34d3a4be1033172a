#include "replay_engine/compute/sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "replay_engine/compute/normal.h"

namespace ranksight::replay_engine {
namespace {

using reduction::EventTimes;

// A predecessor of which nothing is known.
constexpr reduction::Predecessor kAfter = 5;

// Log-normal jitter around the same mean on every rank.
EventTimes Jitter(std::vector<double>* values) {
  std::mt19937 rng(7);
  std::lognormal_distribution<double> draw(std::log(20000.0), 0.8);
  EventTimes times;
  for (int i = 0; i < 20000; ++i) {
    const auto ns = static_cast<uint64_t>(draw(rng));
    times.compute.rest.Add(ns);
    values->push_back(double(ns));
  }
  return times;
}

std::vector<double> DrawMany(ComputeSampler& sampler, const EventTimes& times,
                             int n) {
  std::vector<double> drawn;
  for (int i = 1; i <= n; ++i) drawn.push_back(sampler.Draw(times, i, kAfter));
  return drawn;
}

double Mean(const std::vector<double>& v) {
  double sum = 0;
  for (const double x : v) sum += x;
  return sum / double(v.size());
}

double QuantileOf(std::vector<double> v, double q) {
  std::sort(v.begin(), v.end());
  return v[static_cast<size_t>(q * double(v.size() - 1))];
}

TEST(ComputeSampler, DrawsKeepTheMeanOfTheRecordedTimes) {
  std::vector<double> values;
  const EventTimes times = Jitter(&values);
  ComputeSampler sampler(1, 0, 1);
  EXPECT_NEAR(Mean(DrawMany(sampler, times, 100000)) / Mean(values), 1, 0.01);
}

TEST(ComputeSampler, DrawsKeepTheDistributionWithinABucket) {
  std::vector<double> values;
  const EventTimes times = Jitter(&values);
  ComputeSampler sampler(1, 0, 1);
  const std::vector<double> drawn = DrawMany(sampler, times, 50000);
  for (const double q : {0.05, 0.25, 0.5, 0.75, 0.95}) {
    EXPECT_NEAR(QuantileOf(drawn, q) / QuantileOf(values, q), 1, 0.15) << q;
  }
}

TEST(ComputeSampler, TheSameSeedGivesTheSameDurations) {
  std::vector<double> values;
  const EventTimes times = Jitter(&values);
  ComputeSampler a(5, 3, 8), b(5, 3, 8), other_seed(6, 3, 8);
  ComputeSampler other_rank(5, 4, 8);
  const std::vector<double> drawn = DrawMany(a, times, 100);
  EXPECT_EQ(drawn, DrawMany(b, times, 100));
  EXPECT_NE(drawn, DrawMany(other_seed, times, 100));
  EXPECT_NE(drawn, DrawMany(other_rank, times, 100));
}

TEST(ComputeSampler, TheFirstOccurrenceTakesTheMeanOfFirstOccurrences) {
  EventTimes times;
  times.compute.first.Add(900);
  times.compute.first.Add(1100);
  times.compute.rest.Add(10);
  ComputeSampler sampler(1, 0, 2);
  EXPECT_DOUBLE_EQ(sampler.Draw(times, 0, kAfter), 1000);
  EXPECT_DOUBLE_EQ(sampler.Draw(times, 1, kAfter), 10);
}

TEST(ComputeSampler, ComputationDependsOnThePredecessor) {
  EventTimes times;
  reduction::TimeSummary none, much;
  for (int i = 0; i < 100; ++i) {
    none.rest.Add(0);
    much.rest.Add(1000);
  }
  times.compute = none;
  times.compute.Merge(much);
  times.rest_after = reduction::ComputeParts::Of({{1, none}, {2, much}});
  ComputeSampler sampler(1, 0, 2);
  for (uint64_t i = 1; i < 50; ++i) {
    EXPECT_EQ(sampler.Draw(times, i, 1), 0);
    EXPECT_DOUBLE_EQ(sampler.Draw(times, i, 2), 1000);
  }
  const double any = sampler.Draw(times, 50, 3);
  EXPECT_GE(any, 0);
  EXPECT_LE(any, 2000);
}

TEST(ComputeSampler, AnEventWithoutTimesTakesNone) {
  ComputeSampler sampler(1, 0, 1);
  EXPECT_EQ(sampler.Draw(EventTimes{}, 0, kAfter), 0);
  EXPECT_EQ(sampler.Draw(EventTimes{}, 3, kAfter), 0);
}

TEST(ComputeSampler, ImbalanceBetweenRanksSurvives) {
  constexpr int kRanks = 64;
  EventTimes times;
  for (int r = 0; r < kRanks; ++r) {
    const uint64_t ns = 10000 + 1000 * uint64_t(r);
    for (int i = 0; i < 200; ++i) times.compute.rest.Add(ns);
    times.compute.ranks.Add(double(ns));
  }
  std::vector<double> means;
  for (int r = 0; r < kRanks; ++r) {
    ComputeSampler sampler(9, r, kRanks);
    means.push_back(Mean(DrawMany(sampler, times, 200)));
  }
  const double spread = QuantileOf(means, 0.9) - QuantileOf(means, 0.1);
  EXPECT_NEAR(spread, 0.8 * 63000, 8000);
  EXPECT_NEAR(Mean(means) / times.compute.rest.moments().Mean(), 1, 0.02);
}

// Every fourth occurrence computes, on all ranks: the first of four exchanges.
TEST(ComputeSampler, WhatComesInTurnsComesOnAllRanksAtOnce) {
  EventTimes times;
  for (int i = 0; i < 4000; ++i) times.compute.rest.Add(i % 4 == 0 ? 1000 : 0);
  for (int r = 0; r < 8; ++r) times.compute.ranks.Add(250);
  ComputeSampler one(3, 0, 8), other(3, 5, 8);
  const std::vector<double> a = DrawMany(one, times, 400);
  const std::vector<double> b = DrawMany(other, times, 400);
  int apart = 0;
  for (size_t i = 0; i < a.size(); ++i) apart += a[i] != b[i];
  EXPECT_LE(apart, 20);
  // Few occurrences, and the sum is right.
  for (size_t from = 0; from < 400; from += 40) {
    double sum = 0;
    for (size_t i = from; i < from + 40; ++i) sum += a[i];
    EXPECT_NEAR(sum, 10 * 1000, 2000);
  }
}

TEST(Normal, QuantileInvertsTheDistribution) {
  for (double p = 0.001; p < 1; p += 0.001) {
    EXPECT_NEAR(NormalCdf(NormalQuantile(p)), p, 1e-8);
  }
}

// More nodes and predecessors than any cache of them holds, each with one
// duration of its own.
TEST(ComputeSampler, NoNodeOrPredecessorTakesAnothersTimes) {
  using reduction::ComputeParts;
  const auto ns = [](size_t node, reduction::Predecessor after) {
    return 1000 + 16 * node + 4 * after;
  };
  // As far apart as golden hashing puts them into one place.
  const std::vector<reduction::Predecessor> afters = {0, 144, 377};
  std::vector<EventTimes> nodes(700);
  for (size_t i = 0; i < nodes.size(); ++i) {
    std::vector<ComputeParts::Part> parts;
    for (const reduction::Predecessor after : afters) {
      ComputeParts::Part& part = parts.emplace_back();
      part.after = after;
      for (int k = 0; k < 10; ++k) {
        part.compute.rest.Add(ns(i, after));
        nodes[i].compute.rest.Add(ns(i, after));
      }
    }
    nodes[i].rest_after = ComputeParts::Of(std::move(parts));
  }
  ComputeSampler sampler(1, 0, 1);
  for (uint64_t occurrence = 1; occurrence < 4; ++occurrence) {
    for (size_t i = 0; i < nodes.size(); ++i) {
      for (const reduction::Predecessor after : afters) {
        ASSERT_NEAR(sampler.Draw(nodes[i], occurrence, after),
                    double(ns(i, after)), 1e-6);
      }
    }
  }
}

}  // namespace
}  // namespace ranksight::replay_engine
