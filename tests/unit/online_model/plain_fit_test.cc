#include "online_model/fit/plain_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace ranksight::online_model {
namespace {

std::vector<Point> PointsOf(double a, double b, double c,
                            const std::vector<double>& ranks) {
  std::vector<Point> points;
  for (const double n : ranks) {
    points.push_back({n, 1, a / n + b + c * std::log2(n), 0, 0});
  }
  return points;
}

TEST(PlainFit, FindsWhatTheTimesWereMadeOf) {
  const PlainFit fit = FitPlain(PointsOf(8, 0.5, 0.25, {2, 4, 8, 16}));
  EXPECT_NEAR(fit.inverse, 8, 1e-6);
  EXPECT_NEAR(fit.constant, 0.5, 1e-6);
  EXPECT_NEAR(fit.logarithm, 0.25, 1e-6);
  EXPECT_NEAR(fit.At(1024), 8.0 / 1024 + 0.5 + 2.5, 1e-6);
}

TEST(PlainFit, TakesNoTermBelowZero) {
  // Shrinks faster than any of its terms.
  const PlainFit fit =
      FitPlain(std::vector<Point>{{2, 1, 8}, {4, 1, 2}, {8, 1, 0.5}});
  EXPECT_GT(fit.inverse, 0);
  EXPECT_EQ(fit.constant, 0);
  EXPECT_EQ(fit.logarithm, 0);
  EXPECT_GT(fit.At(1e6), 0);
}

TEST(PlainFit, OfTwoSizesStandsBetweenPerfectAndNoScaling) {
  const PlainFit fit = FitPlain(PointsOf(3, 1, 0, {4, 8}));
  EXPECT_NEAR(fit.At(4), 1.75, 0.2);
  EXPECT_NEAR(fit.At(8), 1.375, 0.2);
  EXPECT_LE(fit.At(64), fit.At(4) * 1.5);
  EXPECT_GT(fit.At(64), fit.At(8) / 8);
  EXPECT_GT(fit.MissAt(64), fit.MissAt(16));
}

// Against a search on a grid: no other factors above 0 are nearer.
TEST(PlainFit, IsTheLeastOfAllThatAreNotBelowZero) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(0.2, 3);
  for (int i = 0; i < 50; ++i) {
    const std::vector<Point> points = {
        {2, 1, any(random)}, {4, 1, any(random)}, {9, 1, any(random)}};
    const PlainFit fit = FitPlain(points);
    const auto squares = [&](double a, double b, double c) {
      double sum = 0;
      for (const Point& p : points) {
        const double there = a / p.ranks + b + c * std::log2(p.ranks);
        sum += (there / p.mean - 1) * (there / p.mean - 1);
      }
      return sum;
    };
    const double least = squares(fit.inverse, fit.constant, fit.logarithm);
    for (double a = 0; a <= 6; a += 0.25) {
      for (double b = 0; b <= 3; b += 0.125) {
        for (double c = 0; c <= 1; c += 0.0625) {
          EXPECT_LE(least, squares(a, b, c) + 1e-6);
        }
      }
    }
  }
}

}  // namespace
}  // namespace ranksight::online_model
