#include "online_model/structure/scalar_law.h"

#include <algorithm>
#include <cstdlib>

#include "reduction/api/call.h"
#include "reduction/api/canonical.h"

namespace ranksight::online_model {
namespace {

int64_t NeighbourAt(const ScalarLaw& law, const Context& c) {
  std::optional<int64_t> rank;
  if (law.on_line) {
    const Grid line{{c.ranks()}};
    rank = Displaced(Context(line, c.rank), law.by, law.periodic);
  } else {
    rank = Displaced(c, law.by, law.periodic);
  }
  return rank.value_or(reduction::kPeerNull);
}

std::string Number(const char* name, int d) { return name + std::to_string(d); }

// What a step along the dimension adds to a rank: "d1*d2", empty for 1.
std::string StrideText(int d, int ndims) {
  std::string text;
  for (int o = d + 1; o < ndims; ++o) {
    text += (text.empty() ? "" : "*") + Number("d", o);
  }
  return text;
}

// "(x0 == d0-1)", "(x0 < 2)": where a step of v along d leaves the grid.
std::string EdgeText(int d, int64_t v) {
  const std::string x = Number("x", d), n = Number("d", d);
  if (v == 1) return "(" + x + " == " + n + "-1)";
  if (v == -1) return "(" + x + " == 0)";
  return v > 0 ? "(" + x + " >= " + n + "-" + std::to_string(v) + ")"
               : "(" + x + " < " + std::to_string(-v) + ")";
}

std::string Times(int64_t factor, const std::string& what) {
  if (what.empty()) return std::to_string(factor);
  return factor == 1 ? what : std::to_string(factor) + "*" + what;
}

// " + 3", " - 3".
std::string Signed(int64_t v) {
  return (v < 0 ? " - " : " + ") + std::to_string(std::abs(v));
}

// "r + 1 - (x0 == d0-1)*d0" on a ring, "(x0 == 0) ? null : r - d1" where
// there is no neighbour.
std::string NeighbourText(const ScalarLaw& law) {
  if (law.on_line) {
    const int64_t v = law.by[0];
    const std::string step = "r" + Signed(v);
    return law.periodic != 0 ? "(" + step + ") mod N" : step;
  }
  std::string missing, rank = "r", wrap;
  for (int d = 0; d < law.ndims; ++d) {
    const int64_t v = law.by[size_t(d)];
    if (v == 0) continue;
    const std::string stride = StrideText(d, law.ndims);
    rank += (v < 0 ? " - " : " + ") + Times(std::abs(v), stride);
    if ((law.periodic >> d & 1) == 0) {
      missing += (missing.empty() ? "" : " or ") + EdgeText(d, v);
    } else {
      wrap += (v < 0 ? " + " : " - ") + EdgeText(d, v) + "*" + Number("d", d) +
              (stride.empty() ? "" : "*" + stride);
    }
  }
  return (missing.empty() ? "" : missing + " ? null : ") + rank + wrap;
}

}  // namespace

ScalarLaw OfExpression(ExpressionPtr e) {
  ScalarLaw law;
  law.kind = ScalarLaw::Kind::kExpression;
  law.expression = std::move(e);
  return law;
}

ExpressionPtr ExpressionOf(const ScalarLaw& law) {
  using Kind = ScalarLaw::Kind;
  using Op = Expression::Op;
  switch (law.kind) {
    case Kind::kAffine: {
      ExpressionPtr sum;
      for (const auto& [factor, feature] : law.terms) {
        ExpressionPtr term =
            AffineExpression(factor, FeatureExpression(feature), 0);
        sum = sum == nullptr ? term : Combine(Op::kAdd, sum, term);
      }
      return sum == nullptr ? ConstantExpression(law.constant)
                            : AffineExpression(1, sum, law.constant);
    }
    case Kind::kGuarded: {
      ExpressionPtr elsewhere = ExpressionOf(*law.otherwise);
      if (elsewhere == nullptr) return nullptr;
      return SelectExpression(FeatureExpression(law.condition),
                              ConstantExpression(law.constant),
                              std::move(elsewhere));
    }
    case Kind::kBlock: {
      ExpressionPtr block =
          law.dim == kPlaceDimension
              ? BlockAtExpression(ConstantExpression(law.constant),
                                  FeatureExpression(Feature::Kind::kLength),
                                  FeatureExpression(Feature::Kind::kPosition))
              : BlockExpression(law.constant, law.dim);
      return AffineExpression(law.scale, std::move(block), law.add);
    }
    case Kind::kExpression:
      return law.expression;
    default:
      return nullptr;
  }
}

int64_t ScalarLaw::At(const Context& c) const {
  switch (kind) {
    case Kind::kAffine: {
      __int128 v = constant;
      for (const auto& [factor, feature] : terms) {
        v += __int128(factor) * feature.At(c);
      }
      return CheckedSum(v);
    }
    case Kind::kNeighbour:
      return NeighbourAt(*this, c);
    case Kind::kXor:
      return c.rank ^ constant;
    case Kind::kGuarded:
      return condition.At(c) == 1 ? constant : otherwise->At(c);
    case Kind::kExpression:
      return expression->At(c);
    case Kind::kThere: {
      const auto there = c.There(each());
      return there ? otherwise->At(*there) : kNotWhole;
    }
    case Kind::kBlock:
      return c.Length(dim) < 1
                 ? kNotWhole
                 : scale * BlockSize(constant, c.Length(dim), c.Place(dim)) +
                       add;
  }
  return constant;
}

bool ScalarLaw::UsesBits() const {
  const auto bits = [](const auto& term) { return term.second.UsesBits(); };
  switch (kind) {
    case Kind::kAffine:
      return std::any_of(terms.begin(), terms.end(), bits);
    case Kind::kXor:
      return constant != 0;
    case Kind::kGuarded:
    case Kind::kThere:
      return otherwise->UsesBits();
    case Kind::kExpression:
      return expression->UsesBits();
    case Kind::kNeighbour:
    case Kind::kBlock:
      return false;
  }
  return false;
}

bool ScalarLaw::Uses(Feature::Kind used, int index) const {
  const auto is_it = [&](const Feature& f) {
    return f.kind == used && f.index == index;
  };
  return std::any_of(terms.begin(), terms.end(),
                     [&](const auto& term) { return is_it(term.second); }) ||
         (kind == Kind::kGuarded && is_it(condition)) ||
         (kind == Kind::kBlock && used == Feature::Kind::kDim &&
          dim == index) ||
         (otherwise != nullptr && otherwise->Uses(used, index)) ||
         (expression != nullptr && expression->Uses(used, index));
}

double ScalarLaw::cost() const {
  switch (kind) {
    case Kind::kAffine: {
      double sum = ConstantCost(constant);
      for (const auto& [factor, feature] : terms) {
        sum += feature.cost() + (factor == 1 ? 0 : ConstantCost(factor));
      }
      return sum + double(terms.size());
    }
    case Kind::kNeighbour: {
      double sum = 2;
      for (const int64_t v : by) sum += ConstantCost(v);
      return sum;
    }
    case Kind::kXor:
      return 2 + ConstantCost(constant);
    case Kind::kGuarded:
      return 1 + condition.cost() + ConstantCost(constant) + otherwise->cost();
    case Kind::kExpression:
      return expression->cost();
    case Kind::kThere:
      return 2 + otherwise->cost();
    case Kind::kBlock:
      return 3 + ConstantCost(constant) + ConstantCost(add) +
             (scale == 1 ? 0 : ConstantCost(scale));
  }
  return 0;
}

std::string ScalarLaw::ToString() const {
  switch (kind) {
    case Kind::kAffine: {
      std::string text;
      for (const auto& [factor, feature] : terms) {
        if (!text.empty()) text += " + ";
        if (factor != 1) text += std::to_string(factor) + "*";
        text += feature.ToString();
      }
      if (text.empty()) return reduction::ValueText(constant);
      if (constant == 0) return text;
      return text + Signed(constant);
    }
    case Kind::kNeighbour:
      return NeighbourText(*this);
    case Kind::kExpression:
      return expression->ToString();
    case Kind::kThere:
      return "at rank k" + (each() > 1 ? "/" + std::to_string(each()) : "") +
             " of the list, " + otherwise->ToString();
    case Kind::kXor:
      return "r ^ " + std::to_string(constant);
    case Kind::kGuarded:
      return condition.ToString() + " ? " + reduction::ValueText(constant) +
             " : " + otherwise->ToString();
    case Kind::kBlock: {
      const std::string along =
          dim == kPlaceDimension ? "n, k"
                                 : Number("d", dim) + ", " + Number("x", dim);
      const std::string block = Times(
          scale, "block(" + std::to_string(constant) + ", " + along + ")");
      return add == 0 ? block : block + Signed(add);
    }
  }
  return "";
}

}  // namespace ranksight::online_model
