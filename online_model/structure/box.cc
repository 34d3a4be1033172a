#include "online_model/structure/box.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "online_model/structure/expression.h"

namespace ranksight::online_model {
namespace {

using Wide = __int128;

int64_t Whole(Wide v) {
  constexpr Wide kMost = Wide{1} << 61;
  return v > kMost || v < -kMost ? kNotWhole : int64_t(v);
}

bool Missing(const Affine& v) { return v.constant == kNotWhole; }

Affine Nothing(size_t digits) {
  return {kNotWhole, std::vector<int64_t>(digits, 0)};
}

int64_t FloorOf(Wide a, int64_t b) {
  const Wide q = a / b;
  return int64_t(q - (a % b != 0 && (a < 0) != (b < 0)));
}

// Digits by how much they move v, most first; those that do not left out.
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

// Two halves of the longest digit that moves v. REQUIRES: v is no constant.
Cut Halve(const Affine& v, const Box& box) {
  size_t longest = 0;
  for (const size_t i : Movers(v)) {
    if (v.by[longest] == 0 || box.digits[i].size > box.digits[longest].size) {
      longest = i;
    }
  }
  return {longest, box.digits[longest].size / 2, false};
}

// A cut after which the sign of v is settled on more of the box.
Cut SignCut(const Affine& v, const Box& box) {
  const auto [low, high] = Range(v, box);
  for (const size_t i : Movers(v)) {
    const int64_t size = box.digits[i].size;
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
    if (first > 0 && first < size) return {i, int64_t(first), false};
    if (last >= 0 && last + 1 < size) return {i, int64_t(last) + 1, false};
  }
  return Halve(v, box);
}

// 2 v + 1: never 0, and of the sign of v where v is not negative.
Affine Odd(const Affine& v) {
  Affine odd = Add(v, v);
  ++odd.constant;
  return odd;
}

void DropDigit(size_t i, Box* box) {
  box->digits.erase(box->digits.begin() + long(i));
}

}  // namespace

bool Affine::IsConstant() const {
  return std::all_of(by.begin(), by.end(), [](int64_t c) { return c == 0; });
}

Box Box::All(const Grid& grid) {
  Box box;
  box.grid = &grid;
  for (int d = 0; d < grid.size(); ++d) {
    const int64_t n = grid.dims[size_t(d)];
    if (n > 1) box.digits.push_back({d, 1, n});
  }
  return box;
}

Box Box::WithPlaces(int64_t n) const {
  Box box = *this;
  box.length = n;
  if (n > 1) box.digits.push_back({Digit::kPlace, 1, n});
  return box;
}

Affine Box::Constant(int64_t v) const {
  return {v, std::vector<int64_t>(digits.size(), 0)};
}

Affine Box::Coordinate(int dim) const {
  Affine v = Constant(dim == Digit::kPlace ? place : base[size_t(dim)]);
  for (size_t i = 0; i < digits.size(); ++i) {
    if (digits[i].dim == dim) v.by[i] = digits[i].weight;
  }
  return v;
}

Affine Box::Place() const { return Coordinate(Digit::kPlace); }

Affine Box::Rank() const {
  Affine rank = Constant(0);
  for (int d = 0; d < grid->size(); ++d) {
    const int64_t n = grid->dims[size_t(d)];
    for (int64_t& c : rank.by) c *= n;
    rank.constant *= n;
    rank = Add(rank, Coordinate(d));
  }
  return rank;
}

std::vector<Box> Parts(const Box& box, const Cut& cut) {
  const Digit digit = box.digits[cut.digit];
  Box low = box, high = box;
  if (cut.refine && digit.size % cut.at == 0) {
    low.digits[cut.digit] = {digit.dim, digit.weight, cut.at};
    low.digits.insert(low.digits.begin() + long(cut.digit),
                      {digit.dim, digit.weight * cut.at, digit.size / cut.at});
    return {low};
  }
  const int64_t at = cut.refine ? digit.size / cut.at * cut.at : cut.at;
  low.digits[cut.digit].size = at;
  high.digits[cut.digit].size = digit.size - at;
  (digit.dim == Digit::kPlace ? high.place : high.base[size_t(digit.dim)]) +=
      digit.weight * at;
  for (Box* part : {&low, &high}) {
    if (part->digits[cut.digit].size == 1) DropDigit(cut.digit, part);
  }
  return {low, high};
}

std::vector<Affine> Parts(const Affine& v, const Box& box, const Cut& cut) {
  const int64_t size = box.digits[cut.digit].size;
  Affine low = v, high = v;
  const auto place = long(cut.digit);
  if (cut.refine && size % cut.at == 0) {
    low.by.insert(low.by.begin() + place, v.by[cut.digit] * cut.at);
    return {low};
  }
  const int64_t at = cut.refine ? size / cut.at * cut.at : cut.at;
  high.constant += v.by[cut.digit] * at;
  if (at == 1) low.by.erase(low.by.begin() + place);
  if (size - at == 1) high.by.erase(high.by.begin() + place);
  return {low, high};
}

std::pair<int64_t, int64_t> Range(const Affine& v, const Box& box) {
  Wide low = v.constant, high = v.constant;
  for (size_t i = 0; i < v.by.size(); ++i) {
    const Wide end = Wide{v.by[i]} * (box.digits[i].size - 1);
    (end < 0 ? low : high) += end;
  }
  constexpr Wide kMost = Wide{1} << 61;
  return {int64_t(std::clamp(low, -kMost, kMost)),
          int64_t(std::clamp(high, -kMost, kMost))};
}

Affine Add(const Affine& a, const Affine& b, int64_t factor) {
  if (Missing(a) || Missing(b)) return Nothing(a.by.size());
  Affine sum = a;
  sum.constant = Whole(Wide{a.constant} + Wide{factor} * b.constant);
  for (size_t i = 0; i < sum.by.size(); ++i) {
    const int64_t c = Whole(Wide{a.by[i]} + Wide{factor} * b.by[i]);
    if (c == kNotWhole) return Nothing(a.by.size());
    sum.by[i] = c;
  }
  return sum;
}

Affine Limited(const Affine& v, int64_t most, const Box& box) {
  const auto [low, high] = Range(v, box);
  if (low >= -most && high <= most) return v;
  if (low > most || high < -most) return Nothing(v.by.size());
  throw Halve(v, box);
}

Affine Multiply(const Affine& a, const Affine& b, const Box& box) {
  if (Missing(a) || Missing(b)) return Nothing(a.by.size());
  if (a.IsConstant()) return Add(box.Constant(0), b, a.constant);
  if (b.IsConstant()) return Add(box.Constant(0), a, b.constant);
  throw Halve(Movers(a).size() < Movers(b).size() ? a : b, box);
}

int64_t ConstantOf(const Affine& v, const Box& box) {
  if (!v.IsConstant()) throw Halve(v, box);
  return v.constant;
}

Context ContextOf(const Box& box) {
  Context c(*box.grid, ConstantOf(box.Rank(), box));
  c.position = ConstantOf(box.Place(), box);
  c.length = box.length;
  return c;
}

Affine FloorDivide(const Affine& a, const Affine& b, const Box& box) {
  const int64_t m = ConstantOf(b, box);
  if (Missing(a) || m == kNotWhole || m == 0) return Nothing(a.by.size());
  if (a.IsConstant()) return box.Constant(FloorOf(a.constant, m));
  if (m < 0) throw Halve(a, box);
  Affine quotient = box.Constant(0), rest = a;
  for (size_t i = 0; i < a.by.size(); ++i) {
    if (a.by[i] % m != 0) continue;
    quotient.by[i] = a.by[i] / m;
    rest.by[i] = 0;
  }
  const auto [low, high] = Range(rest, box);
  quotient.constant = FloorOf(low, m);
  if (quotient.constant == FloorOf(high, m)) return quotient;
  for (const size_t i : Movers(rest)) {
    const int64_t step = std::abs(rest.by[i]);
    if (m % step == 0 && box.digits[i].size > m / step) {
      throw Cut{i, m / step, true};
    }
  }
  rest.constant -= (quotient.constant + 1) * m;
  throw SignCut(Odd(rest), box);
}

Affine DivideExactly(const Affine& a, const Affine& b, const Box& box) {
  const int64_t m = ConstantOf(b, box);
  if (Missing(a) || m == kNotWhole || m == 0) return Nothing(a.by.size());
  for (const int64_t c : a.by) {
    if (c % m != 0) throw Halve(a, box);
  }
  if (a.constant % m != 0) return Nothing(a.by.size());
  Affine quotient = a;
  quotient.constant /= m;
  for (int64_t& c : quotient.by) c /= m;
  return quotient;
}

Affine Remainder(const Affine& a, const Affine& b, const Box& box) {
  const int64_t m = ConstantOf(b, box);
  if (m <= 0) return Nothing(a.by.size());
  return Add(a, FloorDivide(a, b, box), -m);
}

// Each bit of a constant that is set turns over a bit of the other.
Affine Xor(const Affine& a, const Affine& b, const Box& box) {
  if (!b.IsConstant()) {
    if (!a.IsConstant()) throw Halve(b, box);
    return Xor(b, a, box);
  }
  if (Missing(a) || b.constant < 0 || IsLess(a, box.Constant(0), box)) {
    return Nothing(a.by.size());
  }
  Affine v = a;
  for (int64_t bit = 1; bit <= b.constant; bit *= 2) {
    if ((b.constant & bit) == 0) continue;
    const Affine low = FloorDivide(a, box.Constant(bit), box);
    const Affine high = FloorDivide(a, box.Constant(2 * bit), box);
    const Affine set = Add(low, high, -2);
    v = Add(v, box.Constant(1), bit);
    v = Add(v, set, -2 * bit);
  }
  return v;
}

bool IsEqual(const Affine& a, const Affine& b, const Box& box) {
  const Affine v = Add(a, b, -1);
  if (v.IsConstant()) return v.constant == 0;
  const auto [low, high] = Range(v, box);
  if (low > 0 || high < 0) return false;
  int64_t divisor = 0;
  for (const int64_t c : v.by) divisor = std::gcd(divisor, c);
  if (v.constant % divisor != 0) return false;
  throw SignCut(v, box);
}

bool IsLess(const Affine& a, const Affine& b, const Box& box) {
  Affine v = Add(b, a, -1);
  --v.constant;
  const auto [low, high] = Range(v, box);
  if (low >= 0) return true;
  if (high < 0) return false;
  throw SignCut(Odd(v), box);
}

}  // namespace ranksight::online_model
