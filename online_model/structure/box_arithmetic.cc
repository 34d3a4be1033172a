#include <cstdlib>
#include <numeric>

#include "online_model/structure/box_cut.h"
#include "online_model/structure/expression.h"

namespace ranksight::online_model {
namespace {

using Wide = __int128;

bool Missing(const Affine& v) { return v.constant == kNotWhole; }

Affine Nothing(size_t digits) {
  return {kNotWhole, std::vector<int64_t>(digits, 0)};
}

bool IsLong(const Affine& size, int64_t than) {
  return size.IsConstant() && size.constant > than;
}

}  // namespace

Affine Add(const Affine& a, const Affine& b, int64_t factor) {
  if (Missing(a) || Missing(b)) return Nothing(a.by.size());
  Affine sum = a;
  sum.constant = CheckedSum(Wide{a.constant} + Wide{factor} * b.constant);
  for (size_t i = 0; i < sum.by.size(); ++i) {
    const int64_t c = CheckedSum(Wide{a.by[i]} + Wide{factor} * b.by[i]);
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
  c.length = ConstantOf(box.length, box);
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
    if (m % step == 0 && IsLong(box.digits[i].size, m / step)) {
      throw Cut{i, box.Constant(m / step), true};
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
