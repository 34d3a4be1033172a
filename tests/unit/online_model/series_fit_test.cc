#include "online_model/fit/series_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "online_model/fit/shapes.h"

namespace ranksight::online_model {
namespace {

using Law = std::function<double(double)>;

constexpr Shape kConstant = {0, 0, true};
constexpr Shape kLinear = {1, 0, true};
constexpr Shape kInverse = {-1, 0, false};
constexpr Shape kInversePlusConstant = {-1, 0, true};

std::vector<Point> Exact(const Law& law, const std::vector<double>& ranks) {
  std::vector<Point> points;
  for (double n : ranks) points.push_back({n, 1, law(n), 0});
  return points;
}

// Means and variances of `runs` noisy draws per rank count.
std::vector<Point> Noisy(const Law& law, const std::vector<double>& ranks,
                         int runs, double noise, std::mt19937_64& random) {
  std::normal_distribution<double> draw(0, noise);
  std::vector<Point> points;
  for (double n : ranks) {
    double sum = 0, squares = 0;
    for (int r = 0; r < runs; ++r) {
      const double v = law(n) * std::exp(draw(random));
      sum += v;
      squares += v * v;
    }
    Point p{n, double(runs), sum / runs, 0};
    if (runs > 1) {
      p.variance = std::max(0.0, (squares - sum * sum / runs) / (runs - 1));
    }
    points.push_back(p);
  }
  return points;
}

TEST(SeriesFit, RecoversEachOfTheFourShapes) {
  const std::vector<double> ranks = {4, 9, 16, 25};
  struct {
    Shape shape;
    double a, b;
    Law law;
  } cases[] = {
      {kConstant, 3, 0, [](double) { return 3.0; }},
      {kLinear, 1, 0.5, [](double n) { return 1 + 0.5 * n; }},
      {kInverse, 0, 40, [](double n) { return 40 / n; }},
      {kInversePlusConstant, 2, 8, [](double n) { return 2 + 8 / n; }},
      {kInversePlusConstant, 2, -4, [](double n) { return 2 - 4 / n; }},
  };
  for (const auto& c : cases) {
    const SeriesFit fit = FitSeries(Exact(c.law, ranks));
    EXPECT_EQ(fit.model.shape, c.shape);
    EXPECT_NEAR(fit.model.a, c.a, 1e-9);
    EXPECT_NEAR(fit.model.b, c.b, 1e-9);
    EXPECT_NEAR(fit.At(1024).value, c.law(1024), 1e-6);
    EXPECT_LT(fit.model.held_out_error, 1e-9);
  }
}

TEST(SeriesFit, RecoversPowersAndLogarithms) {
  const struct {
    Shape shape;
    Law law;
  } cases[] = {
      {{0, 1, true}, [](double n) { return 1 + 0.3 * std::log2(n); }},
      {{0.5, 0, true}, [](double n) { return 2 + 0.1 * std::sqrt(n); }},
      {{-2.0 / 3, 0, false}, [](double n) { return 7 * std::cbrt(1 / n / n); }},
      {{1, 1, false}, [](double n) { return 0.1 * n * std::log2(n); }},
  };
  for (const auto& c : cases) {
    const SeriesFit fit = FitSeries(Exact(c.law, {4, 8, 16, 32}));
    EXPECT_EQ(fit.model.shape, c.shape) << fit.model.ToString();
    const Estimate far = fit.At(2048);
    EXPECT_NEAR(far.value, c.law(2048), 0.02 * c.law(2048));
    EXPECT_LT(far.HalfWidth(), 0.7 * far.value);
  }
}

// So that a shape that is added needs no test of its own.
TEST(SeriesFit, EveryShapeOfTheTableComesBackFromItsData) {
  for (const Candidate& c : CandidatesOf(ModelFamily::kWeighed)) {
    const Law law = [&c](double n) {
      return (c.shape.offset ? 5 : 0) + 3 * Basis(c.shape, n);
    };
    const SeriesFit fit = FitSeries(Exact(law, {4, 9, 16, 25, 36, 64}));
    EXPECT_EQ(fit.model.shape, c.shape)
        << c.shape.power << " " << c.shape.log_power;
    EXPECT_NEAR(fit.At(4096).value / law(4096), 1, 1e-6);
  }
}

TEST(SeriesFit, TellsTwoPhasesApart) {
  // Work whose share fits the cache from 32 ranks on; an MPI library that
  // changes its algorithm at 24.
  const struct {
    Law law;
    double from;
  } cases[] = {
      {[](double n) { return n < 32 ? 90 / n : 1 + 30 / n; }, 32},
      {[](double n) { return n < 24 ? 0.1 * n : 3 + 0.2 * std::log2(n); }, 24},
  };
  for (const auto& c : cases) {
    const auto points = Exact(c.law, {4, 8, 16, 24, 32, 64, 96, 128});
    const SeriesFit fit = FitSeries(points);
    EXPECT_EQ(fit.model.from, c.from) << fit.model.ToString();
    EXPECT_NEAR(fit.At(2048).value, c.law(2048), 0.02 * c.law(2048));
    EXPECT_NEAR(fit.At(6).value, c.law(6), 0.01 * c.law(6));
    // Six sizes do not show two laws.
    EXPECT_EQ(FitSeries(std::span(points).first(6)).model.from, 0);
  }
}

TEST(SeriesFit, NoiseMakesNoPhases) {
  std::mt19937_64 random(11);
  const Law laws[] = {[](double n) { return 50 / n; },
                      [](double n) { return 1 + 0.2 * n; },
                      [](double n) { return 2 + std::log2(n); }};
  int phases = 0;
  for (int i = 0; i < 600; ++i) {
    const auto points = Noisy(laws[i % 3], {4, 8, 12, 16, 24, 32, 48, 64},
                              1 + i % 2 * 3, 0.1, random);
    phases += FitSeries(points).model.from > 0;
  }
  EXPECT_LT(phases, 6);
}

TEST(SeriesFit, TheClassicFamilyKnowsItsFourShapesOnly) {
  const auto root =
      Exact([](double n) { return std::sqrt(n); }, {4, 9, 16, 25});
  EXPECT_EQ(FitSeries(root, ModelFamily::kClassic).model.shape, kLinear);
  EXPECT_EQ(FitSeries(root).model.shape, (Shape{0.5, 0, false}));
}

TEST(SeriesFit, TheNormalFormMayTurnNegative) {
  // A strong-scaling law in growing terms alone: why sign rules are there.
  const auto law = Exact([](double n) { return 100 / n; }, {4, 8, 16, 32, 64});
  const SeriesFit published = FitSeries(law, ModelFamily::kNormalForm);
  EXPECT_LT(published.model.At(4096), 0);
  EXPECT_NEAR(FitSeries(law).model.At(4096), 100.0 / 4096, 1e-6);
}

TEST(SeriesFit, ANoisyConstantIsNotTakenForAnInversePlusConstant) {
  std::mt19937_64 random(7);
  int constant = 0;
  for (int i = 0; i < 200; ++i) {
    const auto points =
        Noisy([](double) { return 5.0; }, {4, 8, 16, 32}, 5, 0.01, random);
    constant += FitSeries(points).model.shape == kConstant;
  }
  EXPECT_GT(constant, 120);
}

TEST(SeriesFit, WithALittleNoiseTheShapeIsStillFound) {
  std::mt19937_64 random(8);
  int linear = 0, inverse = 0;
  for (int i = 0; i < 200; ++i) {
    linear += FitSeries(Noisy([](double n) { return 1 + 0.1 * n; },
                              {4, 8, 16, 32, 64}, 3, 0.02, random))
                  .model.shape == kLinear;
    const Shape shape = FitSeries(Noisy([](double n) { return 10 / n; },
                                        {4, 8, 16, 32, 64}, 3, 0.02, random))
                            .model.shape;
    inverse += shape == kInverse || shape == kInversePlusConstant;
  }
  EXPECT_EQ(linear, 200);
  EXPECT_EQ(inverse, 200);
}

TEST(SeriesFit, IsNeverNegativeWhateverTheData) {
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> draw(0, 1);
  for (int i = 0; i < 2000; ++i) {
    std::vector<Point> points;
    for (double n : {2.0, 3.0, 8.0, 11.0, 40.0}) {
      const double v = draw(random);
      points.push_back({n, 1, v < 0.2 ? 0 : v, 0});
    }
    const SeriesFit fit = FitSeries(points);
    for (double n : {2.0, 5.0, 40.0, 640.0, 1e6}) {
      EXPECT_GE(fit.model.At(n), -1e-12);
      EXPECT_TRUE(std::isfinite(fit.At(n).HalfWidth()));
    }
  }
}

TEST(SeriesFit, APointKnownBetterPullsTheCurveMore) {
  // Off the constant 1 at one rank count only: measured once or 100 times.
  std::vector<Point> points = {
      {4, 3, 1, 1e-4}, {8, 3, 1, 1e-4}, {16, 3, 1.1, 1e-4}};
  const double weak =
      FitCurve(kConstant, {{{4, 1, 1}, {8, 1, 1}, {16, 1.1, 1}}}).a;
  EXPECT_NEAR(weak, 3.1 / 3, 1e-12);
  points[2].runs = 300;
  const SeriesFit fit = FitSeries(points);
  EXPECT_GT(fit.At(16).value, 1.09);
}

TEST(SeriesFit, CoefficientsAgreeWithNormalEquationsSolvedByHand) {
  const std::vector<WeightedPoint> p = {
      {2, 3.1, 1}, {5, 6.2, 4}, {9, 10.5, 0.5}, {14, 15.8, 2}};
  double w = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const auto& q : p) {
    w += q.weight;
    x += q.weight * q.ranks;
    y += q.weight * q.value;
    xx += q.weight * q.ranks * q.ranks;
    xy += q.weight * q.ranks * q.value;
  }
  const double det = w * xx - x * x;
  const Curve c = FitCurve(kLinear, p);
  EXPECT_NEAR(c.b, (w * xy - x * y) / det, 1e-12);
  EXPECT_NEAR(c.a, (xx * y - x * xy) / det, 1e-12);
  EXPECT_NEAR(c.var_a, xx / det, 1e-12);
  EXPECT_NEAR(c.var_b, w / det, 1e-12);
  EXPECT_NEAR(c.cov_ab, -x / det, 1e-12);
}

TEST(SeriesFit, IntervalsGrowWithDistance) {
  std::mt19937_64 random(10);
  const auto points = Noisy([](double n) { return 1 + 8 / n; }, {4, 8, 16, 32},
                            3, 0.02, random);
  const SeriesFit fit = FitSeries(points);
  double last = 0;
  for (double n : {32.0, 64.0, 128.0, 512.0, 2048.0}) {
    const Estimate e = fit.At(n);
    const double relative = e.HalfWidth() / e.value;
    EXPECT_GT(relative, last) << n;
    last = relative;
  }
}

TEST(SeriesFit, StudentQuantilesMatchTheTables) {
  EXPECT_NEAR(StudentT90(1), 6.314, 1e-3);
  EXPECT_NEAR(StudentT90(5), 2.015, 1e-3);
  EXPECT_NEAR(StudentT90(15), 1.753, 1e-3);
  EXPECT_NEAR(StudentT90(60), 1.671, 1e-3);
}

// The fraction of intervals that hold a fresh run at `target`.
double Coverage(const Law& law, int runs, double noise, double target,
                uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> draw(0, noise);
  constexpr int kDraws = 2000;
  int held = 0;
  for (int i = 0; i < kDraws; ++i) {
    const SeriesFit fit =
        FitSeries(Noisy(law, {4, 9, 16, 25, 36}, runs, noise, random));
    const double fresh = law(target) * std::exp(draw(random));
    const Estimate e = fit.At(target);
    held += std::abs(fresh - e.value) <= e.HalfWidth();
  }
  return double(held) / kDraws;
}

TEST(SeriesFit, NinetyPercentIntervalsHoldAtLeastEightyFivePercent) {
  const Law laws[] = {
      [](double) { return 5.0; },
      [](double n) { return 2 + 0.05 * n; },
      [](double n) { return 30 / n; },
      [](double n) { return 1 + 20 / n; },
  };
  uint64_t seed = 100;
  for (const Law& law : laws) {
    for (int runs : {1, 3}) {
      for (double noise : {0.005, 0.02, 0.05}) {
        for (double target : {49.0, 144.0, 1024.0}) {
          const double coverage = Coverage(law, runs, noise, target, ++seed);
          EXPECT_GE(coverage, 0.85)
              << "law " << &law - laws << " runs " << runs << " noise " << noise
              << " target " << target;
        }
      }
    }
  }
}

}  // namespace
}  // namespace ranksight::online_model
