#include "online_model/structure/cut_another_way.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "online_model/structure/cut_whole.h"
#include "online_model/structure/find_affine.h"

namespace ranksight::online_model {
namespace {

// The same with all blocks cut another way; e itself where it has none, nullptr
// where none of its lines is cut so.
ExpressionPtr CutAnotherWay(const ExpressionPtr& e, Division division,
                            int ndims) {
  if (e == nullptr) return e;
  if (IsBlockOfNumber(*e)) {
    const Line line{int(e->value), ndims};
    if (!line.IsCut(division)) return nullptr;
    return SizeLaw(division, e->a->value, line.Parts(), line.PlaceLaw());
  }
  Expression other = *e;
  for (auto [part, from] :
       {std::pair{&other.a, &e->a}, {&other.b, &e->b}, {&other.c, &e->c}}) {
    *part = CutAnotherWay(*from, division, ndims);
    if (*from != nullptr && *part == nullptr) return nullptr;
  }
  const bool same = other.a == e->a && other.b == e->b && other.c == e->c;
  return same ? e : std::make_shared<const Expression>(std::move(other));
}

// The wholes of all blocks in it.
void AddWholes(const ExpressionPtr& e, std::set<int64_t>* wholes) {
  if (e == nullptr) return;
  if (IsBlockOfNumber(*e)) {
    wholes->insert(e->a->value);
  }
  for (const ExpressionPtr& part : {e->a, e->b, e->c}) {
    AddWholes(part, wholes);
  }
}

// A number, or one that is the same for all samples: how long a loop is that is
// gone through in shares.
std::optional<int64_t> NumberOf(const Expression& e,
                                std::span<const Sample> samples) {
  const bool is_length = e.op == Expression::Op::kFeature &&
                         e.feature.kind == Feature::Kind::kLength;
  if (e.op != Expression::Op::kConstant && !is_length) return std::nullopt;
  const int64_t number = e.At(samples[0].where);
  const bool same = std::ranges::all_of(
      samples, [&](const Sample& s) { return e.At(s.where) == number; });
  return same ? std::optional(number) : std::nullopt;
}

// The whole that all samples divide, of those that the share may be of.
std::optional<int64_t> WholeDivided(const Expression& share,
                                    std::span<const Sample> samples) {
  using Op = Expression::Op;
  const bool is_range = share.op == Op::kShare;
  const auto low = NumberOf(*share.a, samples);
  const Expression& parts = is_range ? *share.c : *share.b;
  if (!low) return std::nullopt;
  std::optional<int64_t> whole;
  for (const Sample& s : samples) {
    const int64_t n = parts.At(s.where), each = share.At(s.where);
    if (n <= 0 || each == kNotWhole) return std::nullopt;
    if (whole.value_or(n * each) != n * each) return std::nullopt;
    whole = n * each;
  }
  const int64_t high = is_range ? share.b->value : *low;
  if (*whole < *low || *whole > high) return std::nullopt;
  return whole;
}

}  // namespace

ExpressionPtr WithoutRemainders(const ExpressionPtr& e,
                                std::span<const Sample> samples) {
  using Op = Expression::Op;
  if (e->op == Op::kDivide || e->op == Op::kShare) {
    const auto whole = WholeDivided(*e, samples);
    if (!whole) return e;
    return Combine(Op::kDivideExactly, ConstantExpression(*whole),
                   e->op == Op::kShare ? e->c : e->b);
  }
  const bool scales = e->op == Op::kMultiply && e->a->op == Op::kConstant;
  if (e->op != Op::kSelect && e->op != Op::kAgreed && !scales) return e;
  Expression other = *e;
  if (e->op == Op::kAgreed) other.a = WithoutRemainders(e->a, samples);
  other.b = WithoutRemainders(e->b, samples);
  if (e->op == Op::kSelect) other.c = WithoutRemainders(e->c, samples);
  if (other.a == e->a && other.b == e->b && other.c == e->c) return e;
  return std::make_shared<const Expression>(std::move(other));
}

ScalarLaw AmongDivisions(const ScalarLaw& law, std::span<const Sample> samples,
                         const SearchSpace& space) {
  if (law.kind != ScalarLaw::Kind::kBlock &&
      law.kind != ScalarLaw::Kind::kExpression) {
    return law;
  }
  const ExpressionPtr blocks = ExpressionOf(law);
  std::set<int64_t> wholes;
  AddWholes(blocks, &wholes);
  if (wholes.empty()) return law;
  DivisionLaws laws;
  for (const Division division : kDivisions) {
    ExpressionPtr& cut = laws[size_t(division)];
    if (division == Division::kFirst) {
      cut = blocks;
      continue;
    }
    cut = CutAnotherWay(blocks, division, space.ndims);
    if (cut != nullptr && !Gives(*cut, samples)) cut = nullptr;
  }
  ExpressionPtr left = LawOfWaysLeft(laws, wholes, space);
  return left == blocks ? law : OfExpression(std::move(left));
}

}  // namespace ranksight::online_model
