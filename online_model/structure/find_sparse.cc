#include "online_model/structure/find_sparse.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "online_model/structure/find_affine.h"
#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

using Samples = std::span<const Sample>;
using Op = Expression::Op;

// So far along a side.
struct Step {
  int dim = 0;
  int64_t by = 0;
  bool operator<(const Step& other) const {
    return std::pair(dim, by) < std::pair(other.dim, other.by);
  }
};

// Both ways along each side, and the next but one.
constexpr size_t kMostSteps = size_t{4} * kMaxDims;

// The value of most places.
int64_t Common(Samples samples) {
  std::map<int64_t, size_t> counts;
  for (const Sample& s : samples) ++counts[s.value];
  return std::max_element(
             counts.begin(), counts.end(),
             [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

// From the own rank to that of the place; nothing where that is along no side,
// or along several.
std::optional<Step> StepTo(const Context& at, unsigned periodic) {
  const Coordinates to = at.grid->At(at.position);
  std::optional<Step> step;
  for (int d = 0; d < at.grid->size(); ++d) {
    int64_t by = to[size_t(d)] - at.at[size_t(d)];
    if (by == 0) continue;
    if (step) return std::nullopt;
    const int64_t n = at.dim(d);
    if ((periodic >> d & 1) != 0) {
      if (2 * by > n) by -= n;
      if (2 * by <= -n) by += n;
    }
    step = Step{d, by};
  }
  return step;
}

std::set<Step> StepsOf(Samples samples, int64_t common, unsigned periodic) {
  std::set<Step> steps;
  for (const Sample& s : samples) {
    if (s.value == common) continue;
    const auto step = StepTo(s.where, periodic);
    if (!step) return {};
    steps.insert(*step);
    if (steps.size() > kMostSteps) return {};
  }
  return steps;
}

ExpressionPtr FindAlong(Samples samples, int64_t common, unsigned periodic,
                        const SearchSpace& space) {
  const std::set<Step> steps = StepsOf(samples, common, periodic);
  if (steps.empty()) return nullptr;
  SearchSpace plain = space;
  plain.array = false;
  ExpressionPtr all = ConstantExpression(common);
  for (const Step& step : steps) {
    const ExpressionPtr to =
        StepExpression(step.dim, step.by, (periodic >> step.dim & 1) != 0);
    std::vector<Sample> there;
    for (const Sample& s : samples) {
      if (to->At(s.where) != s.where.position) continue;
      there.push_back({Context(*s.where.grid, s.where.rank), s.value});
    }
    const auto law = FindScalarLaw(there, plain);
    const ExpressionPtr e = law ? ExpressionOf(*law) : nullptr;
    if (e == nullptr) return nullptr;
    all = SelectExpression(
        Combine(Op::kEqual, FeatureExpression(Feature::Kind::kPosition), to), e,
        std::move(all));
  }
  return Gives(*all, samples) ? all : nullptr;
}

}  // namespace

ExpressionPtr FindSparse(Samples samples, const SearchSpace& space) {
  if (AnySpecial(samples)) return nullptr;
  for (const Sample& s : samples) {
    if (s.where.length != s.where.ranks()) return nullptr;
  }
  const int64_t common = Common(samples);
  // Around a side of four the way back is three on, which a longer one is not:
  // the fewer steps are the program's.
  std::array<unsigned, 2> ways{0, (1U << space.ndims) - 1};
  const size_t open = StepsOf(samples, common, ways[0]).size();
  const size_t around = StepsOf(samples, common, ways[1]).size();
  if (around < open) std::swap(ways[0], ways[1]);
  for (const unsigned periodic : ways) {
    if (auto law = FindAlong(samples, common, periodic, space)) return law;
  }
  return nullptr;
}

}  // namespace ranksight::online_model
