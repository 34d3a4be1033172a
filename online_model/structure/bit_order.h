// BitOrder: permutations of the bits of ranks, for any power of two of them:
// bit reversal, the perfect shuffle and other rotations (Stone 1971), the
// transposition of a matrix whose sides are powers of two, sorting even bits
// before odd ones.
//
// Of n bits, bit i of the result is bit base((i + shift + half * (n / 2)) mod
// n). Thread-safety: value types, pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "online_model/structure/context.h"

namespace ranksight::online_model {

struct BitOrder {
  enum class Base {
    kSame,       // i
    kReversed,   // n-1-i
    kExchanged,  // i, but the first and the last in each other's place
    kEvenFirst,  // 0, 2, 4, ..., then 1, 3, 5, ...
    kEvenApart,  // the inverse of that
  };
  static constexpr int kMostShift = 3;

  Base base = Base::kSame;
  int shift = 0;  // no further than kMostShift either way
  bool half = false;

  // REQUIRES: 0 <= i < n.
  int SourceOf(int i, int n) const;
  // The rank whose bits those of r are in this order; kNotWhole where the
  // number of ranks is no power of two.
  int64_t Of(const Context& c) const;
  std::string ToString() const;  // "bits(r: k from n-1-k)"
  double cost() const;
  bool operator==(const BitOrder&) const = default;
};

// All but the one that changes nothing, the simplest first.
const std::vector<BitOrder>& BitOrders();

// Whether the samples can tell an order from others: all sizes are powers of
// two, and enough ranks of eight or more are others' values.
bool TellBitOrder(std::span<const Sample> samples);
// The simplest order that gives all samples, or nothing.
// REQUIRES: TellBitOrder(samples).
std::optional<BitOrder> FindBitOrder(std::span<const Sample> samples);

}  // namespace ranksight::online_model
