#include "online_model/structure/cut_another_way.h"

#include <memory>
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
  if (e->op == Expression::Op::kBlock &&
      e->a->op == Expression::Op::kConstant) {
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
  if (e->op == Expression::Op::kBlock &&
      e->a->op == Expression::Op::kConstant) {
    wholes->insert(e->a->value);
  }
  for (const ExpressionPtr& part : {e->a, e->b, e->c}) {
    AddWholes(part, wholes);
  }
}

}  // namespace

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
