// How an amount in a program's laws, such as a whole that ranks share out,
// follows one of its settings, such as the size of a problem.
//
// Shortest first: a constant, a power of the setting, either with something
// added, a power of the setting and a halo, whatever the search for scalar laws
// finds (scalar_law.h), a polynomial. Thread-safety: value types, pure
// functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "online_model/structure/expression.h"

namespace ranksight::online_model {

// What the amount is at one value of the setting; any number from low to high
// where no run tells.
struct KnownAmount {
  int64_t setting = 1;
  int64_t low = 0, high = 0;
};

struct AmountLaw {
  // Over the setting, which stands where laws have N; low is high but where
  // the amounts known leave several.
  ExpressionPtr low, high;

  // kNotWhole where there is no whole number.
  int64_t LowAt(int64_t setting) const;
  int64_t HighAt(int64_t setting) const;
};

// The shortest that gives all known ones. most_free: numbers that it may have
// to choose, fewer than what it is checked against; never more than are known.
// Nothing where there is none, or where it works on bits, all known settings
// are powers of two, and `wanted` is not. REQUIRES: settings are different and
// above 0.
std::optional<AmountLaw> FindAmountLaw(std::span<const KnownAmount> known,
                                       int64_t wanted, int most_free);

// What an amount known exactly at one value may be elsewhere, likely ones
// first: the families above but for those with two numbers to choose.
std::vector<AmountLaw> AmountLawsThrough(const KnownAmount& known);

}  // namespace ranksight::online_model
