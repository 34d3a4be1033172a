#include "adapters/base/rank_formula.h"

#include <algorithm>

#include "reduction/api/call.h"

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

RankFormula Division(Values values) {
  int64_t most = 0;
  for (const auto& [r, v] : values) most = std::max(most, v + 1);
  if (most <= 1) return {};
  if (All(values, [&](int64_t r, int64_t v) { return v == r % most; })) {
    return {Form::kModulo, most, 0};
  }
  const int64_t last = values.back().first;
  for (const int64_t size : {last / (most - 1), (last + 1) / most}) {
    if (size > 1 &&
        All(values, [&](int64_t r, int64_t v) { return v == r / size; })) {
      return {Form::kQuotient, size, 0};
    }
  }
  return {};
}

}  // namespace

RankFormula FindRankFormula(Values values, int64_t ranks) {
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
  if (const RankFormula f = Division(values); f.form != Form::kNone) return f;
  const int64_t up = (offset % ranks + ranks) % ranks;
  if (All(values,
          [&](int64_t r, int64_t v) { return v == (r + up) % ranks; })) {
    return {Form::kRing, 1, up};
  }
  return {};
}

}  // namespace ranksight::adapters
