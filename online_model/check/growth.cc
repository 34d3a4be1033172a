#include <cmath>
#include <cstdio>
#include <vector>

#include "online_model/api/check.h"
#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

struct Term {
  Shape shape;
  const char* text;
};
// Simplest first; of two that grow, the first one named grows more slowly.
constexpr Term kTerms[] = {
    {{0, 0, false}, "1"},       {{1, 0, false}, "N"},
    {{2, 0, false}, "N^2"},     {{0, 1, false}, "log N"},
    {{0.5, 0, false}, "N^0.5"}, {{1, 1, false}, "N log N"},
    {{1.5, 0, false}, "N^1.5"}, {{3, 0, false}, "N^3"},
    {{-1, 0, false}, "1 / N"},
};

// What a double loses when numbers of 2^53 are multiplied and divided.
constexpr double kRounding = 1e-9;

using Values = std::map<int64_t, uint64_t>;

template <class F>
bool GivesAll(const Values& values, F at) {
  for (const auto& [ranks, value] : values) {
    const double v = double(value);
    if (std::abs(at(double(ranks)) - v) > kRounding * std::max(v, 1.0)) {
      return false;
    }
  }
  return true;
}

// Through the largest; or through the smallest and the largest.
bool IsOneTerm(const Values& values, const Term& term) {
  RANKSIGHT_REQUIRE(!values.empty());
  const auto& [ranks, value] = *values.rbegin();
  const double factor = double(value) / Basis(term.shape, double(ranks));
  return GivesAll(values,
                  [&](double n) { return factor * Basis(term.shape, n); });
}

bool IsTwoTerms(const Values& values, const Term& f, const Term& g) {
  RANKSIGHT_REQUIRE(values.size() >= 2);
  const double n = double(values.begin()->first);
  const double m = double(values.rbegin()->first);
  const double y = double(values.begin()->second);
  const double z = double(values.rbegin()->second);
  const double fn = Basis(f.shape, n), fm = Basis(f.shape, m);
  const double gn = Basis(g.shape, n), gm = Basis(g.shape, m);
  const double determinant = fn * gm - fm * gn;
  if (std::abs(determinant) < kRounding) return false;
  const double a = (y * gm - z * gn) / determinant;
  const double b = (fn * z - fm * y) / determinant;
  return GivesAll(values, [&](double at) {
    return a * Basis(f.shape, at) + b * Basis(g.shape, at);
  });
}

bool GrowsFaster(const Term& f, const Term& g) {
  return f.shape.power > g.shape.power ||
         (f.shape.power == g.shape.power &&
          f.shape.log_power > g.shape.log_power);
}

std::string NearestPower(const Values& values) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const auto& [ranks, value] : values) {
    if (value == 0) return "";
    const double u = std::log(double(ranks)), v = std::log(double(value));
    n += 1, x += u, y += v, xx += u * u, xy += u * v;
  }
  char text[32];
  std::snprintf(text, sizeof text, "about N^%.1f",
                (n * xy - x * y) / (n * xx - x * x));
  return text;
}

}  // namespace

std::string GrowthOf(const Values& values) {
  if (values.size() < 3) return "";
  for (const Term& term : kTerms) {
    if (IsOneTerm(values, term)) return term.text;
  }
  for (const Term& f : kTerms) {
    for (const Term& g : kTerms) {
      if (!GrowsFaster(f, g) || !IsTwoTerms(values, f, g)) continue;
      return f.text;
    }
  }
  return NearestPower(values);
}

}  // namespace ranksight::online_model
