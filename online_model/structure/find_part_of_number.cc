#include "online_model/structure/find_part_of_number.h"

#include <memory>
#include <utility>

#include "online_model/structure/cut_whole.h"
#include "online_model/structure/evidence.h"
#include "online_model/structure/find_affine.h"
#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

using Samples = std::span<const Sample>;

// A part of a number that the program itself says, or where it begins, for each
// rank along a side: one at all sizes. nullptr where there is none.
ExpressionPtr PartOfNumber(Samples samples, int64_t number, int side,
                           const SearchSpace& space) {
  const Line line{side, space.ndims};
  for (const auto law_of : {&SizeLaw, &BeginLaw}) {
    DivisionLaws laws;
    for (const Division division : kDivisions) {
      if (!line.IsCut(division)) continue;
      auto e = law_of(division, number, line.Parts(), line.PlaceLaw());
      if (Gives(*e, samples)) laws[size_t(division)] = std::move(e);
    }
    auto law = LawOfWaysLeft(laws, {number}, space);
    if (law != nullptr) return law;
  }
  return nullptr;
}

}  // namespace

std::optional<ScalarLaw> FindPartOfNumber(Samples samples,
                                          const SearchSpace& space) {
  if (!space.certain || space.said == nullptr || space.array || space.ranked ||
      space.counts || AnySpecial(samples)) {
    return std::nullopt;
  }
  for (const int64_t number : space.said->numbers()) {
    ExpressionPtr law;
    int found = 0, along = 0;
    for (int d = 0; d < space.ndims; ++d) {
      if (!space.said->MayBeCutAlong(d, number)) continue;
      auto part = PartOfNumber(samples, number, d, space);
      if (part == nullptr) continue;
      law = law == nullptr ? part : AgreedExpression(std::move(law), part);
      along = d;
      ++found;
    }
    if (found == 0) continue;
    const ScalarLaw part = OfExpression(std::move(law));
    // Where a remainder goes is nothing that these samples have to say.
    const ScalarLaw equal = OfExpression(
        Combine(Expression::Op::kDivideExactly, ConstantExpression(number),
                Line{along, space.ndims}.Parts()));
    const bool enough =
        SaysEnough(samples, part, space.said.get()) ||
        (Fits(equal, samples) && SaysEnough(samples, equal, space.said.get()));
    if (!enough) continue;
    if (found == 1) space.said->NoteCutAlong(along, number);
    space.said->Add(part);
    return part;
  }
  return std::nullopt;
}

}  // namespace ranksight::online_model
