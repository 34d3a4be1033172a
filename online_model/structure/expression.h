// Expression: integer arithmetic over the features of a context, for what no
// named family of laws covers.
//
// Where an operation has no whole result (division by zero or, for
// kDivideExactly, with a remainder; a shift out of range) the value is
// kNotWhole, and so is that of everything made of it: a law never rounds
// silently. Thread-safety: immutable, shared by pointers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "online_model/structure/bit_order.h"
#include "online_model/structure/cells.h"
#include "online_model/structure/feature.h"
#include "online_model/structure/own_law.h"

namespace ranksight::online_model {

// Beyond this nothing is a rank, count or trip count any more: no value.
inline constexpr int64_t kLargestValue = int64_t{1} << 40;
inline int64_t CheckedValue(__int128 v) {
  return v > kLargestValue || v < -kLargestValue ? kNotWhole : int64_t(v);
}
// The same of sums of features times constants, which may be addresses.
inline constexpr int64_t kLargestSum = int64_t{1} << 61;
inline int64_t CheckedSum(__int128 v) {
  return v > kLargestSum || v < -kLargestSum ? kNotWhole : int64_t(v);
}

struct Expression;
using ExpressionPtr = std::shared_ptr<const Expression>;

struct Expression {
  enum class Op {
    kConstant,
    kFeature,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,  // towards minus infinity
    kDivideExactly,
    kRemainder,  // never negative
    kXor,
    kShiftLeft,
    kShiftRight,
    kMinimum,
    kMaximum,
    kEqual,    // 1 or 0
    kLess,     // 1 or 0
    kSelect,   // a != 0 ? b : c
    kMove,     // the rank where x<value> is x<value> + a, modulo d<value>
    kBlock,    // block(a, d<value>, x<value>): a balanced block of a whole
    kCells,    // cells of a multipartition
    kOwn,      // a law of the user's own
    kShare,    // floor(v / c) for every whole v from a to b, where they agree
    kBits,     // the bits of the rank in another order
    kBlockAt,  // block(a, c, b): part b of the whole a cut into c
    kAgreed,   // a, where b is the same
  };
  Op op = Op::kConstant;
  int64_t value = 0;  // kConstant; the dimension for kMove and kBlock
  Feature feature;    // kFeature
  ExpressionPtr a, b, c;
  std::shared_ptr<const Cells> cells;  // kCells
  std::shared_ptr<const OwnLaw> own;   // kOwn
  BitOrder bits;                       // kBits

  int64_t At(const Context& c) const;
  std::string ToString() const;
  double cost() const;  // see ScalarLaw::cost
  bool Uses(Feature::Kind kind, int index) const;
  // Bits, powers of two or logarithms: what they are between powers of two
  // no input at a power of two can tell.
  bool UsesBits() const;
};

// What a constant adds to the length of a description: its bits.
double ConstantCost(int64_t constant);

// Whether it asks for a place in an array or loop, or for its length.
bool UsesPlace(const Expression& e);

// Calls f(const Expression&) for the expression and all that it is made of.
template <class F>
void ForEachExpression(const Expression& e, const F& f) {
  f(e);
  for (const ExpressionPtr& part : {e.a, e.b, e.c}) {
    if (part != nullptr) ForEachExpression(*part, f);
  }
}
// Whether it has a value only where several say the same (kAgreed).
bool HasAgreed(const Expression& e);

ExpressionPtr ConstantExpression(int64_t value);
ExpressionPtr FeatureExpression(const Feature& feature);
// Of a kind that needs no list.
ExpressionPtr FeatureExpression(Feature::Kind kind, int index = 0);
ExpressionPtr OwnExpression(std::shared_ptr<const OwnLaw> own);
ExpressionPtr BitsExpression(const BitOrder& bits);
// Of a list or loop: laws[i] from place begins[i] on; begins[0] is not looked
// at.
ExpressionPtr StretchesExpression(const std::vector<ExpressionPtr>& laws,
                                  const std::vector<int64_t>& begins);
// kMove along a side.
ExpressionPtr MoveExpression(int dim, ExpressionPtr by);
// The rank so far along a side; nobody beyond the end of an open one.
ExpressionPtr StepExpression(int dim, int64_t by, bool periodic);
// A balanced block of a whole along a side, by the rank's place there; whether
// it is one.
ExpressionPtr BlockExpression(int64_t whole, int side);
bool IsBlockOfNumber(const Expression& e);
// Part `at` of a whole that is cut into balanced parts.
ExpressionPtr BlockAtExpression(ExpressionPtr whole, ExpressionPtr parts,
                                ExpressionPtr at);
ExpressionPtr Combine(Expression::Op op, ExpressionPtr a, ExpressionPtr b);
// The next one of several alone where there is none so far (nullptr).
ExpressionPtr CombineNext(Expression::Op op, ExpressionPtr so_far,
                          ExpressionPtr next);
ExpressionPtr SelectExpression(ExpressionPtr condition, ExpressionPtr then,
                               ExpressionPtr otherwise);
// floor(whole / parts) where all wholes from low to high agree.
ExpressionPtr ShareExpression(int64_t low, int64_t high, ExpressionPtr parts);
// The value of both where they agree.
ExpressionPtr AgreedExpression(ExpressionPtr a, ExpressionPtr b);
// factor * e + add, without what changes nothing.
ExpressionPtr AffineExpression(int64_t factor, ExpressionPtr e, int64_t add);
// above / below * e + add, where that is whole. REQUIRES: below > 0.
ExpressionPtr ScaledExpression(int64_t above, int64_t below, ExpressionPtr e,
                               int64_t add);

// The operation on two values, kNotWhole where it has no whole result. Inline:
// searches take it of many millions of pairs.
inline int64_t Apply(Expression::Op op, int64_t a, int64_t b) {
  using Op = Expression::Op;
  const auto floor_divide = [](int64_t x, int64_t y) {
    return x / y - (x % y != 0 && (x < 0) != (y < 0));
  };
  if (a == kNotWhole || b == kNotWhole) return kNotWhole;
  switch (op) {
    case Op::kAdd:
      return CheckedValue(__int128(a) + b);
    case Op::kSubtract:
      return CheckedValue(__int128(a) - b);
    case Op::kMultiply:
      return CheckedValue(__int128(a) * b);
    case Op::kDivide:
      return b == 0 ? kNotWhole : floor_divide(a, b);
    case Op::kDivideExactly:
      return b == 0 || a % b != 0 ? kNotWhole : a / b;
    case Op::kRemainder:
      return b <= 0 ? kNotWhole : a - floor_divide(a, b) * b;
    case Op::kXor:
      return a < 0 || b < 0 ? kNotWhole : a ^ b;
    case Op::kShiftLeft:
      return b < 0 || b > 40 ? kNotWhole : CheckedValue(__int128(a) << b);
    case Op::kShiftRight:
      return a < 0 || b < 0 || b > 62 ? kNotWhole : a >> b;
    case Op::kMinimum:
      return std::min(a, b);
    case Op::kMaximum:
      return std::max(a, b);
    case Op::kEqual:
      return a == b;
    case Op::kLess:
      return a < b;
    default:
      return kNotWhole;
  }
}

// Size of part x of a whole cut into d parts that differ by one at most, the
// larger ones first. REQUIRES: d > 0.
int64_t BlockSize(int64_t whole, int64_t d, int64_t x);

}  // namespace ranksight::online_model
