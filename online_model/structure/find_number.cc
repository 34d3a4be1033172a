#include "online_model/structure/find_number.h"

#include <vector>

#include "online_model/structure/find_affine.h"

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;
using Samples = std::span<const Sample>;

class NumberFinder {
 public:
  NumberFinder(Samples samples, int ndims)
      : samples_(samples), used_(size_t(ndims), false) {}

  // Of what begins with `so_far`, that of `sides` sides.
  ExpressionPtr Find(const ExpressionPtr& so_far, int sides) {
    for (size_t d = 0; d < used_.size(); ++d) {
      if (used_[d]) continue;
      used_[d] = true;
      const ExpressionPtr number = With(so_far, int(d));
      ExpressionPtr law = sides > 0 ? Shifted(number) : nullptr;
      if (law == nullptr) law = Find(number, sides + 1);
      used_[d] = false;
      if (law != nullptr) return law;
    }
    return nullptr;
  }

 private:
  static ExpressionPtr With(const ExpressionPtr& so_far, int d) {
    const ExpressionPtr at =
        FeatureExpression({Feature::Kind::kCoord, d, nullptr});
    if (so_far == nullptr) return at;
    const ExpressionPtr side =
        FeatureExpression({Feature::Kind::kDim, d, nullptr});
    return Combine(Op::kAdd, Combine(Op::kMultiply, so_far, side), at);
  }

  ExpressionPtr Shifted(const ExpressionPtr& number) const {
    const int64_t add = samples_[0].value - number->At(samples_[0].where);
    ExpressionPtr law = AffineExpression(1, number, add);
    return Gives(*law, samples_) ? law : nullptr;
  }

  Samples samples_;
  std::vector<bool> used_;
};

}  // namespace

ExpressionPtr FindNumber(Samples samples, int ndims) {
  if (ndims < 2) return nullptr;
  return NumberFinder(samples, ndims).Find(nullptr, 0);
}

}  // namespace ranksight::online_model
