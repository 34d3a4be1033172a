#include "online_model/structure/box_cut.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace ranksight::online_model {
namespace {

using Wide = __int128;

bool IsRectangle(const Box& box) {
  return std::all_of(box.digits.begin(), box.digits.end(),
                     [](const Digit& d) { return d.size.IsConstant(); });
}

// Whether places are several digits: those may not be cut elsewhere on each
// rank, as lists are nests of runs of one length.
bool AreNested(const Box& box, int dim) {
  return dim == Digit::kPlace &&
         std::count_if(box.digits.begin(), box.digits.end(),
                       [](const Digit& d) { return d.dim == Digit::kPlace; }) >
             1;
}

// Splits digit i before `at`, or others so that this can be done: that both
// sides are there wherever the box is. Nothing where it cuts nowhere.
std::optional<Cut> SplitDigit(size_t i, const Affine& at, const Box& box) {
  const Affine left = Add(box.digits[i].size, at, -1);
  for (const Affine& part : {at, left}) {
    if (Range(part, box).second < 1) return std::nullopt;
  }
  const int64_t enough = box.digits[i].dim == Digit::kPlace ? 2 : 1;
  for (const Affine& part : {at, left}) {
    for (int64_t least = 1; least <= enough; ++least) {
      if (part.Is(1) || Range(part, box).first >= least) continue;
      return SignCut(Odd(Add(part, box.Constant(least), -1)), box);
    }
  }
  return Cut{i, at, false};
}

// The cut of the last digit that moves v; nothing where that would not be
// at a whole number everywhere.
std::optional<Cut> LastDigitCut(const Affine& v, const Box& box) {
  size_t i = v.by.size() - 1;
  while (v.by[i] == 0) --i;
  const int64_t c = v.by[i], step = std::abs(c);
  // c > 0: v >= 0 from y = -floor(rest / c) on; c < 0: up to
  // floor(rest / -c).
  Affine zero = v;
  zero.by[i] = 0;
  for (int64_t& by : zero.by) {
    if (by % step != 0) return std::nullopt;
    by /= step;
    if (c > 0) by = -by;
  }
  if (!zero.IsConstant() && AreNested(box, box.digits[i].dim)) {
    return std::nullopt;
  }
  const int64_t whole = FloorOf(v.constant, step);
  zero.constant = c > 0 ? -whole : whole + 1;
  if (auto cut = SplitDigit(i, zero, box)) return cut;
  if (v.constant % step != 0) return std::nullopt;
  zero.constant += c > 0 ? 1 : -1;
  return SplitDigit(i, zero, box);
}

}  // namespace

std::vector<size_t> Movers(const Affine& v) {
  std::vector<size_t> order;
  for (size_t i = 0; i < v.by.size(); ++i) {
    if (v.by[i] != 0) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&v](size_t a, size_t b) {
    return std::abs(v.by[a]) > std::abs(v.by[b]);
  });
  return order;
}

int64_t FloorOf(__int128 a, int64_t b) {
  const Wide q = a / b;
  return int64_t(q - (a % b != 0 && (a < 0) != (b < 0)));
}

Affine Odd(const Affine& v) {
  Affine odd = Add(v, v);
  ++odd.constant;
  return odd;
}

Cut Halve(const Affine& v, const Box& box) {
  const size_t n = box.digits.size();
  size_t longest = n;
  const auto consider = [&](size_t i) {
    const Affine& size = box.digits[i].size;
    if (!size.IsConstant()) return;
    if (longest == n || size.constant > box.digits[longest].size.constant) {
      longest = i;
    }
  };
  for (const size_t i : Movers(v)) consider(i);
  if (longest == n) {
    for (const Digit& d : box.digits) {
      for (const size_t i : Movers(d.size)) consider(i);
    }
  }
  const int64_t half = box.digits[longest].size.constant / 2;
  return {longest, box.Constant(half), false};
}

Cut SignCut(const Affine& v, const Box& box) {
  if (auto cut = LastDigitCut(v, box)) return *cut;
  if (!IsRectangle(box)) return Halve(v, box);
  const auto [low, high] = Range(v, box);
  for (const size_t i : Movers(v)) {
    const int64_t size = box.digits[i].size.constant;
    const Wide c = v.by[i], end = c * (size - 1);
    // What the other digits can add.
    const Wide rest_low = Wide{low} - std::min<Wide>(end, 0);
    const Wide rest_high = Wide{high} - std::max<Wide>(end, 0);
    const int64_t step = int64_t(c > 0 ? c : -c);
    // Both signs occur for y in [first, last].
    const Wide first = c > 0 ? -Wide{FloorOf(rest_high, step)}
                             : -Wide{FloorOf(-rest_low, step)};
    const Wide last =
        c > 0 ? Wide{FloorOf(-rest_low, step)} : Wide{FloorOf(rest_high, step)};
    if (first > 0 && first < size) {
      return {i, box.Constant(int64_t(first)), false};
    }
    if (last >= 0 && last + 1 < size) {
      return {i, box.Constant(int64_t(last) + 1), false};
    }
  }
  return Halve(v, box);
}

}  // namespace ranksight::online_model
