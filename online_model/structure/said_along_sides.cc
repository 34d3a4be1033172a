#include "online_model/structure/said_along_sides.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "online_model/structure/evidence.h"

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;
using Kind = Feature::Kind;
using Samples = std::span<const Sample>;

// More are of a program whose laws say little of one another.
constexpr size_t kMostAlongSide = 6;

// The one side of the grid that it asks for; nothing where it asks for several,
// none, or for anything else.
std::optional<int> OnlySideOf(const Expression& law) {
  std::optional<int> side;
  bool only = true;
  const auto take = [&](int d) {
    only = only && side.value_or(d) == d;
    side = d;
  };
  ForEachExpression(law, [&](const Expression& e) {
    if (e.op == Op::kBlock) return take(int(e.value));
    if (e.op != Op::kFeature) {
      only = only && e.op != Op::kMove && e.op != Op::kCells &&
             e.op != Op::kOwn && e.op != Op::kBits;
      return;
    }
    const Kind kind = e.feature.kind;
    only = only &&
           (kind == Kind::kDim || kind == Kind::kCoord || kind == Kind::kLeft);
    take(e.feature.index);
  });
  return only ? side : std::nullopt;
}

std::optional<std::vector<int64_t>> PositiveValuesOf(const Expression& law,
                                                     Samples samples) {
  std::vector<int64_t> values;
  for (const Sample& s : samples) {
    values.push_back(law.At(s.where));
    const bool is_points = values.back() != kNotWhole && values.back() > 0 &&
                           values.back() <= kMostPoints;
    if (!is_points) return std::nullopt;
  }
  return values;
}

}  // namespace

size_t CountPoints(Samples samples) {
  std::set<int64_t> values;
  for (const Sample& s : samples) {
    if (s.value < 0 || s.value > kMostPoints) return 0;
    values.insert(s.value);
  }
  return values.size();
}

bool HasSeveralRanksAlong(Samples samples, size_t side) {
  return std::ranges::any_of(
      samples, [side](const Sample& s) { return s.where.dim(int(side)) > 1; });
}

std::vector<std::vector<SaidPart>> PartsAlongSides(Samples samples,
                                                   const SearchSpace& space) {
  std::vector<std::vector<SaidPart>> parts(size_t(space.ndims));
  std::vector<std::set<std::vector<int64_t>>> had(size_t(space.ndims));
  const auto take = [&](const ExpressionPtr& law) {
    const auto side = OnlySideOf(*law);
    if (!side || *side >= space.ndims) return;
    auto values = PositiveValuesOf(*law, samples);
    const bool says = values && std::ranges::any_of(*values, [&](int64_t v) {
                        return v != values->front();
                      });
    if (!says || parts[size_t(*side)].size() == kMostAlongSide) return;
    std::vector<int64_t> less = *values;
    for (int64_t& v : less) v -= values->front();
    if (!had[size_t(*side)].insert(std::move(less)).second) return;
    parts[size_t(*side)].push_back({law, std::move(*values)});
  };
  for (const ExpressionPtr& law : space.said->agreed()) take(law);
  for (const ExpressionPtr& law : space.said->parts()) take(law);
  return parts;
}

std::vector<PartChoice> ChoicesOf(
    const std::vector<std::vector<SaidPart>>& parts) {
  std::vector<PartChoice> choices{{}};
  for (const auto& along : parts) {
    std::vector<PartChoice> longer;
    for (const PartChoice& some : choices) {
      for (const SaidPart& part : along) {
        longer.push_back(some);
        longer.back().push_back(&part);
      }
    }
    choices = std::move(longer);
  }
  return choices;
}

}  // namespace ranksight::online_model
