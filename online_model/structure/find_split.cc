#include "online_model/structure/find_split.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "online_model/structure/find_affine.h"

namespace ranksight::online_model {
namespace {

using Samples = std::span<const Sample>;
using Op = Expression::Op;

// By how much; kNotWhole where that is no number.
int64_t Apart(int64_t from, int64_t to) {
  return CheckedSum(__int128(to) - from);
}

// A corner of the grid: its end along the sides of the mask, their first place
// along all others.
using Corner = unsigned;

// How far a rank is from it along a side.
int64_t Away(const Context& c, Corner corner, int side) {
  const int64_t x = c.at[size_t(side)];
  return (corner >> side & 1) != 0 ? c.dim(side) - 1 - x : x;
}

ExpressionPtr AwayLaw(Corner corner, int side) {
  using Kind = Feature::Kind;
  return (corner >> side & 1) != 0
             ? AffineExpression(1, FeatureExpression(Kind::kLeft, side), -1)
             : FeatureExpression(Kind::kCoord, side);
}

// Whether a rank is away from the corner along no other side.
bool IsOnSide(const Context& c, Corner corner, int side) {
  for (int d = 0; d < c.grid->size(); ++d) {
    if (d != side && Away(c, corner, d) != 0) return false;
  }
  return true;
}

ExpressionPtr ExpressionFor(Samples samples, const SearchSpace& space) {
  const auto law = FindScalarLaw(samples, space);
  return law ? ExpressionOf(*law) : nullptr;
}

ExpressionPtr Sum(ExpressionPtr a, ExpressionPtr b) {
  if (a == nullptr || (a->op == Op::kConstant && a->value == 0)) return b;
  return Combine(Op::kAdd, std::move(a), std::move(b));
}

// Whether what a rank has is what the first one has, and for each side by how
// much the rank at its place along that side alone has more: no search is
// needed where it is not.
bool IsSumOverSides(Samples samples) {
  using Places = std::map<std::pair<int, int64_t>, int64_t>;
  std::map<const Grid*, Places> sides;
  for (const Sample& s : samples) {
    for (int d = 0; d < s.where.grid->size(); ++d) {
      if (!IsOnSide(s.where, 0, d)) continue;
      sides[s.where.grid].emplace(std::pair(d, s.where.at[size_t(d)]), s.value);
    }
  }
  return std::all_of(samples.begin(), samples.end(), [&](const Sample& s) {
    const Places& places = sides[s.where.grid];
    const auto first = places.find({0, 0});
    if (first == places.end()) return false;
    __int128 sum = first->second;
    for (int d = 0; d < s.where.grid->size(); ++d) {
      const auto there = places.find({d, s.where.at[size_t(d)]});
      if (there == places.end()) return false;
      sum += __int128(there->second) - first->second;
    }
    return sum == s.value;
  });
}

// So much for each place along the side; nullptr where that is not so.
ExpressionPtr Steps(Corner corner, int side, Samples more,
                    const SearchSpace& space) {
  std::map<const Grid*, int64_t> step;
  for (const Sample& s : more) {
    if (Away(s.where, corner, side) == 1) step.emplace(s.where.grid, s.value);
  }
  std::vector<Sample> steps;  // as all ranks of the side know it
  bool down = false;
  for (const Sample& s : more) {
    const auto of = step.find(s.where.grid);
    if (of == step.end()) continue;
    if (__int128(of->second) * Away(s.where, corner, side) != s.value) {
      return nullptr;
    }
    steps.push_back({s.where, of->second});
    down = down || s.value < 0;
  }
  for (Sample& s : steps) s.value = down ? -s.value : s.value;
  if (steps.empty()) return nullptr;
  const ExpressionPtr by = ExpressionFor(steps, space);
  if (by == nullptr) return nullptr;
  ExpressionPtr all = Combine(Op::kMultiply, AwayLaw(corner, side), by);
  return down ? AffineExpression(-1, std::move(all), 0) : all;
}

ExpressionPtr SumFrom(Corner corner, Samples samples,
                      const SearchSpace& space) {
  std::map<const Grid*, Sample> begin;
  for (const Sample& s : samples) {
    if (IsOnSide(s.where, corner, -1)) begin.emplace(s.where.grid, s);
  }
  std::vector<Sample> begins;
  for (const auto& [grid, s] : begin) begins.push_back(s);
  std::vector<std::vector<Sample>> along(size_t(space.ndims));
  int sides = 0;
  for (int d = 0; d < space.ndims; ++d) {
    bool moves = false;
    for (const Sample& s : samples) {
      const auto from = begin.find(s.where.grid);
      if (from == begin.end()) return nullptr;
      if (!IsOnSide(s.where, corner, d)) continue;
      const int64_t more = Apart(from->second.value, s.value);
      if (more == kNotWhole) return nullptr;
      along[size_t(d)].push_back({s.where, more});
      moves = moves || s.value != from->second.value;
    }
    if (!moves) along[size_t(d)].clear();
    sides += moves ? 1 : 0;
  }
  if (sides < 2) return nullptr;
  ExpressionPtr sum = ExpressionFor(begins, space);
  if (sum == nullptr) return nullptr;
  for (int d = 0; d < space.ndims; ++d) {
    const auto& of_side = along[size_t(d)];
    if (of_side.empty()) continue;
    ExpressionPtr part = Steps(corner, d, of_side, space);
    if (part == nullptr) part = ExpressionFor(of_side, space);
    if (part == nullptr) return nullptr;
    sum = Sum(std::move(sum), std::move(part));
  }
  return Gives(*sum, samples) ? sum : nullptr;
}

}  // namespace

ExpressionPtr FindSumOverSides(Samples samples, const SearchSpace& space) {
  if (!IsSumOverSides(samples)) return nullptr;
  ExpressionPtr best;
  for (Corner corner = 0; corner < 1U << space.ndims; ++corner) {
    ExpressionPtr sum = SumFrom(corner, samples, space);
    if (sum == nullptr) continue;
    if (best == nullptr || sum->cost() < best->cost()) best = std::move(sum);
  }
  return best;
}

ExpressionPtr FindProgression(Samples samples, const SearchSpace& space) {
  // Of two places anything is one.
  constexpr int64_t kLeastPlaces = 3;
  std::map<std::pair<const Grid*, int64_t>, std::pair<Sample, Sample>> lists;
  int64_t longest = 0;
  for (const Sample& s : samples) {
    const int64_t k = s.where.position;
    const auto of = std::pair(s.where.grid, s.where.rank);
    if (k < 0) return nullptr;
    longest = std::max(longest, k + 1);
    if (k > 1) continue;
    auto& [begin, next] = lists[of];
    Sample& at = k == 0 ? begin : next;
    if (at.where.grid != nullptr && at.value != s.value) return nullptr;
    at = {Context(*s.where.grid, s.where.rank), s.value};
  }
  if (longest < kLeastPlaces) return nullptr;
  std::vector<Sample> begins, steps;
  for (const auto& [rank, both] : lists) {
    if (both.first.where.grid == nullptr) return nullptr;
    begins.push_back(both.first);
    if (both.second.where.grid == nullptr) continue;
    const int64_t step = Apart(both.first.value, both.second.value);
    if (step == kNotWhole) return nullptr;
    steps.push_back({both.second.where, step});
  }
  if (steps.empty()) return nullptr;
  for (const Sample& s : samples) {
    const auto& [begin, next] = lists[{s.where.grid, s.where.rank}];
    if (s.where.position > 1 &&
        __int128(s.value) - begin.value !=
            s.where.position * (__int128(next.value) - begin.value)) {
      return nullptr;
    }
  }
  SearchSpace plain = space;
  plain.array = false;
  const ExpressionPtr step = ExpressionFor(steps, plain);
  if (step == nullptr) return nullptr;
  ExpressionPtr begin = ExpressionFor(begins, plain);
  if (begin == nullptr) return nullptr;
  ExpressionPtr sum = Sum(std::move(begin),
                          Combine(Op::kMultiply, step,
                                  FeatureExpression(Feature::Kind::kPosition)));
  return Gives(*sum, samples) ? sum : nullptr;
}

}  // namespace ranksight::online_model
