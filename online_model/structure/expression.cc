#include "online_model/structure/expression.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "reduction/api/call.h"
#include "reduction/api/canonical.h"

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;

int64_t Moved(const Context& c, int dim, int64_t by) {
  Coordinates to = c.at;
  const int64_t n = c.dim(dim);
  to[size_t(dim)] = (((to[size_t(dim)] + by) % n) + n) % n;
  return c.grid->RankOf(to);
}

const char* Symbol(Op op) {
  switch (op) {
    case Op::kAdd:
      return " + ";
    case Op::kSubtract:
      return " - ";
    case Op::kMultiply:
      return "*";
    case Op::kDivide:
    case Op::kDivideExactly:
      return "/";
    case Op::kRemainder:
      return " mod ";
    case Op::kXor:
      return " ^ ";
    case Op::kShiftLeft:
      return " << ";
    case Op::kShiftRight:
      return " >> ";
    case Op::kEqual:
      return " == ";
    case Op::kLess:
      return " < ";
    default:
      return " ? ";
  }
}

bool IsLeaf(const Expression& e) {
  return e.op == Op::kConstant || e.op == Op::kFeature ||
         e.op == Op::kMinimum || e.op == Op::kMaximum || e.op == Op::kMove ||
         e.op == Op::kBlock || e.op == Op::kOwn || e.op == Op::kShare ||
         e.op == Op::kBits || e.op == Op::kBlockAt;
}

int64_t BlockAt(int64_t whole, int64_t parts, int64_t at) {
  if (whole == kNotWhole || parts == kNotWhole || at < 0 || at >= parts) {
    return kNotWhole;
  }
  return BlockSize(whole, parts, at);
}

std::string Operand(const Expression& e) {
  return IsLeaf(e) ? e.ToString() : "(" + e.ToString() + ")";
}

ExpressionPtr OfThree(Op op, ExpressionPtr a, ExpressionPtr b,
                      ExpressionPtr c) {
  Expression e;
  e.op = op;
  e.a = std::move(a);
  e.b = std::move(b);
  e.c = std::move(c);
  return std::make_shared<const Expression>(std::move(e));
}

}  // namespace

int64_t BlockSize(int64_t whole, int64_t d, int64_t x) {
  return whole / d + (x < whole % d ? 1 : 0);
}

int64_t Expression::At(const Context& where) const {
  switch (op) {
    case Op::kConstant:
      return value;
    case Op::kFeature:
      return feature.At(where);
    case Op::kSelect: {
      const int64_t condition = a->At(where);
      if (condition == kNotWhole) return kNotWhole;
      return condition != 0 ? b->At(where) : c->At(where);
    }
    case Op::kMove: {
      const int64_t by = a->At(where);
      return by == kNotWhole ? kNotWhole : Moved(where, int(value), by);
    }
    case Op::kBlock: {
      const int64_t whole = a->At(where);
      if (whole == kNotWhole) return kNotWhole;
      return BlockSize(whole, where.dim(int(value)), where.at[size_t(value)]);
    }
    case Op::kCells:
      return cells->At(where);
    case Op::kOwn:
      return own->At(where);
    case Op::kShare: {
      const int64_t parts = c->At(where);
      const int64_t low = Apply(Op::kDivide, a->At(where), parts);
      const int64_t high = Apply(Op::kDivide, b->At(where), parts);
      return low == high ? low : kNotWhole;
    }
    case Op::kBits:
      return bits.Of(where);
    case Op::kBlockAt:
      return BlockAt(a->At(where), c->At(where), b->At(where));
    case Op::kAgreed: {
      const int64_t v = a->At(where);
      return v == b->At(where) ? v : kNotWhole;
    }
    default:
      return Apply(op, a->At(where), b->At(where));
  }
}

std::string Expression::ToString() const {
  const std::string i = std::to_string(value);
  switch (op) {
    case Op::kConstant:
      return reduction::ValueText(value);
    case Op::kFeature:
      return feature.ToString();
    case Op::kMinimum:
      return "min(" + a->ToString() + ", " + b->ToString() + ")";
    case Op::kMaximum:
      return "max(" + a->ToString() + ", " + b->ToString() + ")";
    case Op::kSelect:
      return Operand(*a) + " ? " + b->ToString() + " : " + c->ToString();
    case Op::kMove:
      return "rank(x" + i + " -> (x" + i + " + " + a->ToString() + ") mod d" +
             i + ")";
    case Op::kBlock:
      return "block(" + a->ToString() + ", d" + i + ", x" + i + ")";
    case Op::kCells:
      return cells->ToString();
    case Op::kOwn:
      return own->name + "()";
    case Op::kShare:
      return "floor(" +
             (a->value == b->value
                  ? a->ToString()
                  : "[" + a->ToString() + ".." + b->ToString() + "]") +
             "/" + Operand(*c) + ")";
    case Op::kBits:
      return bits.ToString();
    case Op::kBlockAt:
      return "block(" + a->ToString() + ", " + c->ToString() + ", " +
             b->ToString() + ")";
    case Op::kAgreed:
      return a->ToString() + " or " + b->ToString();
    default:
      return Operand(*a) + Symbol(op) + Operand(*b);
  }
}

// Somebody wrote it for this program: as short as the shortest.
constexpr double kOwnCost = 1;

double ConstantCost(int64_t constant) {
  if (constant == 0) return 0;
  if (reduction::IsSpecial(constant)) return 1;
  return 1 + std::log2(std::abs(double(constant)));
}

bool Expression::Uses(Feature::Kind kind, int index) const {
  if (op == Op::kFeature && feature.kind == kind && feature.index == index) {
    return true;
  }
  // A balanced block is one of as many as the side has ranks.
  if (op == Op::kBlock && kind == Feature::Kind::kDim && value == index) {
    return true;
  }
  const auto uses = [&](const ExpressionPtr& e) {
    return e != nullptr && e->Uses(kind, index);
  };
  return uses(a) || uses(b) || uses(c);
}

bool Expression::UsesBits() const {
  if (op == Op::kXor || op == Op::kShiftLeft || op == Op::kShiftRight ||
      op == Op::kBits) {
    return true;
  }
  if (op == Op::kFeature && feature.UsesBits()) return true;
  for (const ExpressionPtr& e : {a, b, c}) {
    if (e != nullptr && e->UsesBits()) return true;
  }
  return false;
}

double Expression::cost() const {
  if (op == Op::kConstant) return ConstantCost(value);
  if (op == Op::kFeature) return feature.cost();
  if (op == Op::kOwn) return kOwnCost;
  if (op == Op::kBits) return bits.cost();
  // Of the wholes, how many bits of one are known.
  if (op == Op::kShare) {
    return 3 + ConstantCost(b->value) - ConstantCost(b->value - a->value) +
           c->cost();
  }
  if (op == Op::kCells) {
    return 6 + ConstantCost(cells->whole) + ConstantCost(cells->scale);
  }
  double sum =
      op == Op::kBlock || op == Op::kMove || op == Op::kBlockAt ? 2 : 1;
  for (const ExpressionPtr& e : {a, b, c}) {
    if (e != nullptr) sum += e->cost();
  }
  return sum;
}

bool HasAgreed(const Expression& e) {
  bool any = false;
  ForEachExpression(e, [&any](const Expression& part) {
    any = any || part.op == Op::kAgreed;
  });
  return any;
}

ExpressionPtr ConstantExpression(int64_t value) {
  Expression e;
  e.value = value;
  return std::make_shared<const Expression>(std::move(e));
}

ExpressionPtr FeatureExpression(const Feature& feature) {
  Expression e;
  e.op = Op::kFeature;
  e.feature = feature;
  return std::make_shared<const Expression>(std::move(e));
}

ExpressionPtr FeatureExpression(Feature::Kind kind, int index) {
  return FeatureExpression(Feature{kind, index, nullptr});
}

ExpressionPtr OwnExpression(std::shared_ptr<const OwnLaw> own) {
  Expression e;
  e.op = Op::kOwn;
  e.own = std::move(own);
  return std::make_shared<const Expression>(std::move(e));
}

ExpressionPtr BitsExpression(const BitOrder& bits) {
  Expression e;
  e.op = Op::kBits;
  e.bits = bits;
  return std::make_shared<const Expression>(std::move(e));
}

ExpressionPtr StretchesExpression(const std::vector<ExpressionPtr>& laws,
                                  const std::vector<int64_t>& begins) {
  const ExpressionPtr place =
      FeatureExpression({Feature::Kind::kPosition, 0, nullptr});
  ExpressionPtr all = laws.back();
  for (size_t i = laws.size() - 1; i-- > 0;) {
    all = SelectExpression(
        Combine(Op::kLess, place, ConstantExpression(begins[i + 1])), laws[i],
        all);
  }
  return all;
}

ExpressionPtr MoveExpression(int dim, ExpressionPtr by) {
  Expression e;
  e.op = Op::kMove;
  e.value = dim;
  e.a = std::move(by);
  return std::make_shared<const Expression>(std::move(e));
}

ExpressionPtr BlockExpression(int64_t whole, int side) {
  Expression e;
  e.op = Op::kBlock;
  e.value = side;
  e.a = ConstantExpression(whole);
  return std::make_shared<const Expression>(std::move(e));
}

bool IsBlockOfNumber(const Expression& e) {
  return e.op == Op::kBlock && e.a->op == Op::kConstant;
}

ExpressionPtr Combine(Op op, ExpressionPtr a, ExpressionPtr b) {
  Expression e;
  e.op = op;
  e.a = std::move(a);
  e.b = std::move(b);
  return std::make_shared<const Expression>(std::move(e));
}

ExpressionPtr CombineNext(Op op, ExpressionPtr so_far, ExpressionPtr next) {
  return so_far == nullptr ? next
                           : Combine(op, std::move(so_far), std::move(next));
}

bool UsesPlace(const Expression& e) {
  using Kind = Feature::Kind;
  bool uses = false;
  ForEachExpression(e, [&uses](const Expression& part) {
    if (part.op != Op::kFeature) return;
    switch (part.feature.kind) {
      case Kind::kPosition:
      case Kind::kLength:
      case Kind::kBack:
      case Kind::kPower:
      case Kind::kBackPower:
      case Kind::kFirstPlace:
      case Kind::kLastPlace:
      case Kind::kWithBit:
      case Kind::kPowerLeft:
      case Kind::kBitsApart:
      case Kind::kSumOfBoth:
        uses = true;
        break;
      default:
        break;
    }
  });
  return uses;
}

ExpressionPtr StepExpression(int dim, int64_t by, bool periodic) {
  ExpressionPtr step = MoveExpression(dim, ConstantExpression(by));
  if (periodic) return step;
  const ExpressionPtr beyond =
      by > 0 ? Combine(Op::kLess, FeatureExpression(Feature::Kind::kLeft, dim),
                       ConstantExpression(by + 1))
             : Combine(Op::kLess, FeatureExpression(Feature::Kind::kCoord, dim),
                       ConstantExpression(-by));
  return SelectExpression(beyond, ConstantExpression(reduction::kPeerNull),
                          std::move(step));
}

ExpressionPtr SelectExpression(ExpressionPtr condition, ExpressionPtr then,
                               ExpressionPtr otherwise) {
  return OfThree(Op::kSelect, std::move(condition), std::move(then),
                 std::move(otherwise));
}

ExpressionPtr ShareExpression(int64_t low, int64_t high, ExpressionPtr parts) {
  return OfThree(Op::kShare, ConstantExpression(low), ConstantExpression(high),
                 std::move(parts));
}

ExpressionPtr AgreedExpression(ExpressionPtr a, ExpressionPtr b) {
  Expression e;
  e.op = Op::kAgreed;
  e.a = std::move(a);
  e.b = std::move(b);
  return std::make_shared<const Expression>(std::move(e));
}

ExpressionPtr BlockAtExpression(ExpressionPtr whole, ExpressionPtr parts,
                                ExpressionPtr at) {
  return OfThree(Op::kBlockAt, std::move(whole), std::move(at),
                 std::move(parts));
}

ExpressionPtr AffineExpression(int64_t factor, ExpressionPtr e, int64_t add) {
  if (factor == -1) {
    return Combine(Op::kSubtract, ConstantExpression(add), std::move(e));
  }
  if (factor > 1 && e->op == Op::kDivideExactly && e->a->op == Op::kConstant) {
    // 1250 (160 / d) has no value at d = 64, where 200000 / d has one.
    e = Combine(
        Op::kDivideExactly,
        ConstantExpression(CheckedValue(__int128(factor) * e->a->value)), e->b);
  } else if (factor != 1) {
    e = Combine(Op::kMultiply, ConstantExpression(factor), std::move(e));
  }
  if (add == 0) return e;
  return Combine(add > 0 ? Op::kAdd : Op::kSubtract, std::move(e),
                 ConstantExpression(add > 0 ? add : -add));
}

ExpressionPtr ScaledExpression(int64_t above, int64_t below, ExpressionPtr e,
                               int64_t add) {
  const int64_t common = std::gcd(above, below);
  const int64_t divisor = below / common;
  e = AffineExpression(above / common, std::move(e), 0);
  // A sixteenth of 3840 / d is 240 / d, a share that may have units of its own.
  if (e->op == Op::kDivideExactly && e->a->op == Op::kConstant &&
      e->a->value % divisor == 0) {
    e = Combine(Op::kDivideExactly, ConstantExpression(e->a->value / divisor),
                e->b);
  } else if (divisor != 1) {
    e = Combine(Op::kDivideExactly, std::move(e), ConstantExpression(divisor));
  }
  return AffineExpression(1, std::move(e), add);
}

}  // namespace ranksight::online_model
