#include "adapters/base/rank_formula.h"

#include <algorithm>
#include <numeric>

#include "reduction/api/call.h"
#include "reduction/api/contract.h"

namespace ranksight::adapters {
namespace {

using Form = RankFormula::Form;
using Values = std::span<const std::pair<int64_t, int64_t>>;

// Formulas of numbers as large as this help nobody and might overflow.
constexpr int64_t kLargest = int64_t{1} << 31;

bool TooLarge(int64_t v) { return v < -kLargest || v > kLargest; }

template <class F>
bool All(Values values, F&& f) {
  return std::all_of(values.begin(), values.end(),
                     [&](const auto& v) { return f(v.first, v.second); });
}

// What divides every difference of rank and value, and is above every value,
// leaves these remainders.
RankFormula Remainder(Values values) {
  int64_t above = 1, divisor = 0;
  for (const auto& [r, v] : values) {
    if (v < 0) return {};
    above = std::max(above, v + 1);
    divisor = std::gcd(divisor, r - v);
  }
  if (above == 1 || divisor < above) return {};
  // The least above all values, where that divides: a person would take it.
  return {Form::kModulo, divisor % above == 0 ? above : divisor, 0};
}

// Each value v of a rank r leaves the sizes above r / (v + 1) that are at most
// r / v.
RankFormula Quotient(Values values) {
  int64_t least = 2, most = kLargest;
  for (const auto& [r, v] : values) {
    if (v < 0) return {};
    least = std::max(least, r / (v + 1) + 1);
    if (v > 0) most = std::min(most, r / v);
  }
  if (least > most) return {};
  return {Form::kQuotient, least, 0};
}

}  // namespace

RankFormula FindRankFormula(Values values, int64_t ranks) {
  RANKSIGHT_REQUIRE(
      std::ranges::is_sorted(values, {}, &std::pair<int64_t, int64_t>::first));
  RANKSIGHT_REQUIRE(values.empty() || values.back().first < ranks);
  if (values.empty()) return {};
  const auto [first, value] = values[0];
  const auto same = [v = value](int64_t, int64_t other) { return other == v; };
  if (All(values, same)) return {Form::kNumber, 0, value};
  if (ranks > kLargest || !All(values, [](int64_t, int64_t v) {
        return !reduction::IsSpecial(v) && !TooLarge(v);
      })) {
    return {};
  }
  const int64_t offset = value - first;
  if (All(values, [&](int64_t r, int64_t v) { return v - r == offset; })) {
    return {Form::kShifted, 1, offset};
  }
  const int64_t slope = (values[1].second - value) / (values[1].first - first);
  const int64_t base = value - slope * first;
  if (All(values,
          [&](int64_t r, int64_t v) { return v == slope * r + base; })) {
    return {Form::kLinear, slope, base};
  }
  const int64_t bits = first ^ value;
  if (All(values, [&](int64_t r, int64_t v) { return v == (r ^ bits); })) {
    return {Form::kXor, 1, bits};
  }
  for (const RankFormula f : {Remainder(values), Quotient(values)}) {
    if (f.form != Form::kNone) return f;
  }
  const int64_t up = (offset % ranks + ranks) % ranks;
  if (All(values,
          [&](int64_t r, int64_t v) { return v == (r + up) % ranks; })) {
    return {Form::kRing, 1, up};
  }
  return {};
}

}  // namespace ranksight::adapters
