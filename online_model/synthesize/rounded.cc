#include "online_model/synthesize/rounded.h"

#include <memory>
#include <utility>

#include "reduction/api/distribution.h"

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;

ExpressionPtr Rounded(const ExpressionPtr& from) {
  if (from == nullptr) return nullptr;
  // Of the wholes that the inputs leave open, any.
  if (from->op == Op::kShare) return Combine(Op::kDivide, from->a, from->c);
  if (from->op == Op::kAgreed) return Rounded(from->a);
  Expression e = *from;
  if (e.op == Op::kDivideExactly) e.op = Op::kDivide;
  e.a = Rounded(e.a);
  e.b = Rounded(e.b);
  e.c = Rounded(e.c);
  return std::make_shared<const Expression>(std::move(e));
}

void RoundDown(ScalarLaw* law) {
  law->expression = Rounded(law->expression);
  if (law->otherwise == nullptr) return;
  ScalarLaw otherwise = *law->otherwise;
  RoundDown(&otherwise);
  law->otherwise = std::make_shared<const ScalarLaw>(std::move(otherwise));
}

void RoundDown(SequenceLaw* law) {
  for (ScalarLaw& v : law->prefix) RoundDown(&v);
  for (ScalarLaw& v : law->values) RoundDown(&v);
}

}  // namespace

NodeLaw RoundedDown(NodeLaw law, const reduction::Node& like) {
  if (like.is_event()) {
    const auto params = reduction::Info(like.call).params;
    for (size_t i = 0; i < law.params.size(); ++i) {
      if (!reduction::IsAmount(params[i])) continue;
      RoundDown(&law.params[i]);
      if (law.totals[i]) RoundDown(&*law.totals[i]);
    }
  }
  for (size_t c = 0; c < law.children.size(); ++c) {
    law.children[c] = RoundedDown(std::move(law.children[c]), like.children[c]);
  }
  return law;
}

}  // namespace ranksight::online_model
