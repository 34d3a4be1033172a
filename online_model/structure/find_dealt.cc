#include "online_model/structure/find_dealt.h"

#include <map>
#include <set>
#include <vector>

#include "online_model/structure/cut_whole.h"
#include "online_model/structure/find_affine.h"

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;
using Samples = std::span<const Sample>;

// Blocks left at each place: those of n, dealt from place 0 on, less those of
// the first k + from.
ExpressionPtr LeftOf(int dim, int ndims, int64_t from) {
  using Kind = Feature::Kind;
  const auto feature = [](Kind kind, int index) {
    return FeatureExpression({kind, index, nullptr});
  };
  const Line line{dim, ndims};
  const ExpressionPtr behind = AffineExpression(
      1,
      Combine(Op::kAdd, feature(Kind::kPosition, 0), feature(Kind::kLeft, dim)),
      from - 1);
  return Combine(Op::kSubtract,
                 BlockAtExpression(feature(Kind::kLength, 0), line.Parts(),
                                   line.PlaceLaw()),
                 Combine(Op::kDivide, behind, line.Parts()));
}

// The number, of blocks dealt in turn, of the one that comes at a place of a
// list of all but those of place 0.
ExpressionPtr NumberOfOthers(int dim, int ndims) {
  const ExpressionPtr place = FeatureExpression(Feature::Kind::kPosition);
  const Line line{dim, ndims};
  return Combine(
      Op::kAdd, AffineExpression(1, place, 1),
      Combine(Op::kDivide, place, AffineExpression(1, line.Parts(), -1)));
}

// Whether in lists of two sizes places come that are not dealt in the first
// turn.
bool HasSecondTurns(Samples samples, int dim) {
  std::set<int64_t> lengths;
  for (const Sample& s : samples) {
    const int64_t others = s.where.Length(dim) - 1;
    if (others > 1 && s.where.position >= others) lengths.insert(others);
  }
  return lengths.size() >= 2;
}

// Whether at two sizes ranks at the same place of the list have different
// amounts, so that the turn is seen.
bool TakesTurns(Samples samples) {
  std::map<const Grid*, std::map<int64_t, std::set<int64_t>>> amounts;
  std::set<const Grid*> differ;
  for (const Sample& s : samples) {
    std::set<int64_t>& here = amounts[s.where.grid][s.where.position];
    here.insert(s.value);
    if (here.size() > 1) differ.insert(s.where.grid);
  }
  return differ.size() >= 2;
}

// scale * e + add where that gives all samples.
ExpressionPtr ScaledTo(Samples samples, const ExpressionPtr& e) {
  const Sample& first = samples[0];
  const int64_t begin = e->At(first.where);
  if (begin == kNotWhole) return nullptr;
  int64_t scale = 0;
  for (const Sample& s : samples) {
    const int64_t here = e->At(s.where);
    if (here == kNotWhole) return nullptr;
    if (here == begin) continue;
    if ((s.value - first.value) % (here - begin) != 0) return nullptr;
    scale = (s.value - first.value) / (here - begin);
    break;
  }
  if (scale == 0) return nullptr;
  ExpressionPtr law = AffineExpression(scale, e, first.value - scale * begin);
  return Gives(*law, samples) ? law : nullptr;
}

}  // namespace

ExpressionPtr FindDealt(Samples samples, int ndims) {
  for (int dim = 0; dim < ndims; ++dim) {
    if (!HasSecondTurns(samples, dim)) continue;
    if (auto e = ScaledTo(samples, NumberOfOthers(dim, ndims))) return e;
  }
  if (!TakesTurns(samples)) return nullptr;
  for (int dim = 0; dim < ndims; ++dim) {
    for (const int64_t from : {0, 1}) {
      if (auto e = ScaledTo(samples, LeftOf(dim, ndims, from))) return e;
    }
  }
  return nullptr;
}

}  // namespace ranksight::online_model
