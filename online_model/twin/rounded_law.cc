#include "online_model/twin/rounded_law.h"

#include <memory>
#include <utility>

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;

// A quotient that is not worked out yet.
struct Fraction {
  ExpressionPtr above;
  ExpressionPtr below;  // nullptr: 1

  bool IsWhole() const { return below == nullptr; }
};

ExpressionPtr Times(const ExpressionPtr& a, const ExpressionPtr& b) {
  if (a == nullptr) return b;
  return b == nullptr ? a : Combine(Op::kMultiply, a, b);
}

// floor(above / below + 1/2)
ExpressionPtr Nearest(const Fraction& f) {
  if (f.IsWhole()) return f.above;
  const ExpressionPtr two = ConstantExpression(2);
  return Combine(Op::kDivide, Combine(Op::kAdd, Times(two, f.above), f.below),
                 Times(two, f.below));
}

// Sums, of which one of both may have no quotient.
Fraction Joined(Op op, const Fraction& a, const Fraction& b) {
  if (a.IsWhole() && b.IsWhole()) return {Combine(op, a.above, b.above), {}};
  return {Combine(op, Times(a.above, b.below), Times(b.above, a.below)),
          Times(a.below, b.below)};
}

Fraction FractionOf(const ExpressionPtr& e);

// Where parts have to be whole numbers, they are rounded.
Fraction OfRoundedParts(const ExpressionPtr& e) {
  Expression rounded = *e;
  bool any = false;
  for (ExpressionPtr* part : {&rounded.a, &rounded.b, &rounded.c}) {
    if (*part == nullptr) continue;
    ExpressionPtr nearest = Nearest(FractionOf(*part));
    any = any || nearest != *part;
    *part = std::move(nearest);
  }
  if (!any) return {e, {}};
  return {std::make_shared<const Expression>(std::move(rounded)), {}};
}

Fraction FractionOf(const ExpressionPtr& e) {
  switch (e->op) {
    case Op::kAdd:
    case Op::kSubtract: {
      const Fraction a = FractionOf(e->a), b = FractionOf(e->b);
      if (a.above == e->a && b.above == e->b && a.IsWhole() && b.IsWhole()) {
        return {e, {}};
      }
      return Joined(e->op, a, b);
    }
    case Op::kMultiply: {
      const Fraction a = FractionOf(e->a), b = FractionOf(e->b);
      if (a.above == e->a && b.above == e->b && a.IsWhole() && b.IsWhole()) {
        return {e, {}};
      }
      return {Times(a.above, b.above), Times(a.below, b.below)};
    }
    case Op::kDivideExactly: {
      const Fraction a = FractionOf(e->a), b = FractionOf(e->b);
      return {Times(a.above, b.below), Times(a.below, b.above)};
    }
    case Op::kSelect: {
      const Fraction then = FractionOf(e->b), otherwise = FractionOf(e->c);
      if (then.IsWhole() && otherwise.IsWhole()) return OfRoundedParts(e);
      const ExpressionPtr one = ConstantExpression(1);
      const ExpressionPtr when = Nearest(FractionOf(e->a));
      const auto below = [&one](const Fraction& f) {
        return f.IsWhole() ? one : f.below;
      };
      return {SelectExpression(when, then.above, otherwise.above),
              SelectExpression(when, below(then), below(otherwise))};
    }
    case Op::kShare: {
      // Of all wholes that the runs may have shared out, the one in the middle.
      const int64_t whole = e->a->value + (e->b->value - e->a->value) / 2;
      if (e->a->value == e->b->value) return OfRoundedParts(e);
      return {Combine(Op::kDivide, ConstantExpression(whole),
                      Nearest(FractionOf(e->c))),
              {}};
    }
    default:
      return OfRoundedParts(e);
  }
}

// *any: set where something may be rounded.
ScalarLaw Rounded(const ScalarLaw& law, bool* any) {
  ScalarLaw rounded = law;
  if (law.expression != nullptr) {
    rounded.expression = Nearest(FractionOf(law.expression));
    *any = *any || rounded.expression != law.expression;
  }
  if (law.otherwise != nullptr) {
    rounded.otherwise =
        std::make_shared<const ScalarLaw>(Rounded(*law.otherwise, any));
  }
  return rounded;
}

}  // namespace

std::optional<SequenceLaw> RoundedLaw(const SequenceLaw& law) {
  SequenceLaw rounded = law;
  bool any = false;
  for (ScalarLaw& v : rounded.prefix) v = Rounded(v, &any);
  for (ScalarLaw& v : rounded.values) v = Rounded(v, &any);
  if (!any) return std::nullopt;
  return rounded;
}

}  // namespace ranksight::online_model
