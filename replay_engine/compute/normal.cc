#include "replay_engine/compute/normal.h"

#include <cmath>

#include "reduction/api/contract.h"

namespace ranksight::replay_engine {
namespace {

double Tail(double p) {
  // Rational in the root of the logarithm, as the tail itself nearly is.
  const double q = std::sqrt(-2 * std::log(p));
  const double numerator =
      ((((-7.784894002430293e-03 * q - 3.223964580411365e-01) * q -
         2.400758277161838e+00) *
            q -
        2.549732539343734e+00) *
           q +
       4.374664141464968e+00) *
          q +
      2.938163982698783e+00;
  const double denominator =
      (((7.784695709041462e-03 * q + 3.224671290700398e-01) * q +
        2.445134137142996e+00) *
           q +
       3.754408661907416e+00) *
          q +
      1;
  return numerator / denominator;
}

double Middle(double p) {
  // Odd about the middle: q times a rational function of its square.
  const double q = p - 0.5;
  const double r = q * q;
  const double numerator =
      (((((-3.969683028665376e+01 * r + 2.209460984245205e+02) * r -
          2.759285104469687e+02) *
             r +
         1.383577518672690e+02) *
            r -
        3.066479806614716e+01) *
           r +
       2.506628277459239e+00) *
      q;
  const double denominator =
      ((((-5.447609879822406e+01 * r + 1.615858368580409e+02) * r -
         1.556989798598866e+02) *
            r +
        6.680131188771972e+01) *
           r -
       1.328068155288572e+01) *
          r +
      1;
  return numerator / denominator;
}

}  // namespace

double NormalCdf(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

double NormalQuantile(double p) {
  RANKSIGHT_REQUIRE(p > 0 && p < 1);
  constexpr double kTail = 0.02425;
  if (p < kTail) return Tail(p);
  if (p > 1 - kTail) return -Tail(1 - p);
  return Middle(p);
}

}  // namespace ranksight::replay_engine
