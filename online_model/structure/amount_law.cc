#include "online_model/structure/amount_law.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <vector>

#include "online_model/structure/grid.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;
using Known = std::span<const KnownAmount>;

constexpr int kMostPower = 3;
// Of cells around a field.
constexpr int64_t kMostHalo = 16;

int64_t ValueAt(const Expression& e, int64_t setting) {
  const Grid line{{setting}};
  return e.At(Context(line, 0));
}

ExpressionPtr SettingExpression() {
  return FeatureExpression(Feature::Kind::kRanks);
}

ExpressionPtr PowerExpression(ExpressionPtr base, int power) {
  ExpressionPtr e = base;
  for (int i = 1; i < power; ++i) e = Combine(Op::kMultiply, e, base);
  return e;
}

bool IsExact(Known known) {
  return std::ranges::all_of(
      known, [](const KnownAmount& k) { return k.low == k.high; });
}

// The law where it gives every amount.
std::optional<AmountLaw> IfItFits(const ExpressionPtr& e, Known known) {
  const bool fits = std::ranges::all_of(known, [&](const KnownAmount& k) {
    const int64_t v = ValueAt(*e, k.setting);
    return v != kNotWhole && k.low <= v && v <= k.high;
  });
  if (!fits) return std::nullopt;
  return AmountLaw{e, e};
}

std::optional<AmountLaw> FindConstant(Known known) {
  int64_t least = INT64_MIN, most = INT64_MAX;
  for (const KnownAmount& k : known) {
    least = std::max(least, k.low);
    most = std::min(most, k.high);
  }
  if (least > most) return std::nullopt;
  return AmountLaw{ConstantExpression(least), ConstantExpression(most)};
}

// factor * e, with all whole factors that give every amount.
std::optional<AmountLaw> FindMultiple(const ExpressionPtr& e, Known known) {
  int64_t least = INT64_MIN, most = INT64_MAX;
  for (const KnownAmount& k : known) {
    const int64_t unit = ValueAt(*e, k.setting);
    if (unit == kNotWhole || unit <= 0) return std::nullopt;
    least = std::max(least, -Apply(Op::kDivide, -k.low, unit));
    most = std::min(most, Apply(Op::kDivide, k.high, unit));
  }
  if (least > most) return std::nullopt;
  return AmountLaw{AffineExpression(least, e, 0), AffineExpression(most, e, 0)};
}

// The line over e that goes through the first and the last amount.
ExpressionPtr LineOver(const ExpressionPtr& e, Known known) {
  const KnownAmount &first = known.front(), &last = known.back();
  const int64_t x0 = ValueAt(*e, first.setting);
  const int64_t x1 = ValueAt(*e, last.setting);
  if (x0 == kNotWhole || x1 == kNotWhole || x0 == x1) return nullptr;
  const int64_t rise = last.low - first.low, run = x1 - x0;
  const __int128 start = __int128(first.low) * run - __int128(rise) * x0;
  // A whole number is added: more than that a program hardly does.
  if (start % run != 0) return nullptr;
  const int64_t add = CheckedSum(start / run);
  if (add == kNotWhole) return nullptr;
  const int64_t sign = run < 0 ? -1 : 1;
  return ScaledExpression(sign * rise, sign * run, e, add);
}

// Exact amounts, two numbers chosen.
std::optional<AmountLaw> FindByTwo(Known known) {
  for (int power = 1; power <= kMostPower; ++power) {
    const auto line =
        LineOver(PowerExpression(SettingExpression(), power), known);
    if (line == nullptr) continue;
    if (auto law = IfItFits(line, known)) return law;
  }
  for (int64_t halo = 1; halo <= kMostHalo; ++halo) {
    for (int power = 2; power <= kMostPower; ++power) {
      for (const int64_t h : {halo, -halo}) {
        const auto padded = AffineExpression(1, SettingExpression(), h);
        if (auto law = FindMultiple(PowerExpression(padded, power), known)) {
          return law;
        }
      }
    }
  }
  return std::nullopt;
}

// a s^2 + b s + c through three amounts, whole numbers all.
std::optional<AmountLaw> FindSquare(Known known) {
  const KnownAmount &p = known[0], &q = known[1], &r = known.back();
  const auto slope = [](const KnownAmount& from, const KnownAmount& to) {
    const int64_t run = to.setting - from.setting;
    return std::pair(to.low - from.low, run);
  };
  const auto [rise1, run1] = slope(p, q);
  const auto [rise2, run2] = slope(q, r);
  const __int128 bend = __int128(rise2) * run1 - __int128(rise1) * run2;
  const __int128 span = __int128(run1) * run2 * (r.setting - p.setting);
  if (bend % span != 0) return std::nullopt;
  const int64_t a = CheckedValue(bend / span);
  const __int128 left = rise1 - __int128(a) * run1 * (p.setting + q.setting);
  if (a == kNotWhole || left % run1 != 0) return std::nullopt;
  const int64_t b = CheckedValue(left / run1);
  if (b == kNotWhole) return std::nullopt;
  const int64_t c =
      CheckedSum(__int128(p.low) - (__int128(a) * p.setting + b) * p.setting);
  if (c == kNotWhole) return std::nullopt;
  const ExpressionPtr s = SettingExpression();
  return IfItFits(
      AffineExpression(
          1,
          Combine(Op::kMultiply, s,
                  AffineExpression(1, AffineExpression(a, s, 0), b)),
          c),
      known);
}

std::optional<AmountLaw> FindScalar(Known known, int64_t wanted) {
  std::vector<Grid> lines;
  for (const KnownAmount& k : known) lines.push_back(Grid{{k.setting}});
  std::vector<Sample> samples;
  for (size_t i = 0; i < known.size(); ++i) {
    samples.push_back({Context(lines[i], 0), known[i].low});
  }
  const auto law = FindScalarLaw(samples, SearchSpace());
  if (!law) return std::nullopt;
  const auto is_power = [](int64_t n) {
    return std::has_single_bit(uint64_t(n));
  };
  const bool tells =
      std::ranges::any_of(
          known, [&](const KnownAmount& k) { return !is_power(k.setting); }) ||
      is_power(wanted);
  if (law->UsesBits() && !tells) return std::nullopt;
  const ExpressionPtr e = ExpressionOf(*law);
  return e == nullptr ? std::nullopt : IfItFits(e, known);
}

}  // namespace

int64_t AmountLaw::LowAt(int64_t setting) const {
  return ValueAt(*low, setting);
}
int64_t AmountLaw::HighAt(int64_t setting) const {
  return ValueAt(*high, setting);
}

std::optional<AmountLaw> FindAmountLaw(Known known, int64_t wanted,
                                       int most_free) {
  most_free = std::min(most_free, int(known.size()));
  if (most_free < 1) return std::nullopt;
  if (auto law = FindConstant(known)) return law;
  for (int power = 1; power <= kMostPower; ++power) {
    const auto e = PowerExpression(SettingExpression(), power);
    if (auto law = FindMultiple(e, known)) return law;
  }
  if (!IsExact(known)) return std::nullopt;
  for (int power = 1; power <= kMostPower; ++power) {
    const auto e = PowerExpression(SettingExpression(), power);
    const int64_t unit = ValueAt(*e, known[0].setting);
    if (unit == kNotWhole) break;
    const auto part = ScaledExpression(known[0].low, unit, e, 0);
    if (auto law = IfItFits(part, known)) return law;
  }
  if (most_free < 2) return std::nullopt;
  if (auto law = FindByTwo(known)) return law;
  if (known.size() >= 3) {
    if (auto law = FindScalar(known, wanted)) return law;
  }
  if (most_free < 3 || known.size() < 3) return std::nullopt;
  return FindSquare(known);
}

std::vector<AmountLaw> AmountLawsThrough(const KnownAmount& known) {
  const auto& [setting, amount, same] = known;
  std::vector<AmountLaw> laws;
  const auto add = [&](const ExpressionPtr& e) { laws.push_back({e, e}); };
  add(ConstantExpression(amount));
  // One says nothing of where it goes in.
  if (amount == 0 || setting == 1) return laws;
  const ExpressionPtr s = SettingExpression();
  if (amount != setting && std::abs(amount - setting) <= kMostHalo) {
    add(AffineExpression(1, s, amount - setting));
  }
  for (int power = 1; power <= kMostPower; ++power) {
    const ExpressionPtr e = PowerExpression(s, power);
    const int64_t unit = ValueAt(*e, setting);
    if (unit == kNotWhole) break;
    if (amount % unit == 0 || unit % amount == 0) {
      add(ScaledExpression(amount, unit, e, 0));
    }
  }
  return laws;
}

}  // namespace ranksight::online_model
