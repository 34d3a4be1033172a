// Families of rules that may lay ranks on grids, and whether two of them give
// the same. Thread-safety: pure functions. Complexity: some hundred meshes of
// two or three sides by their ratios, some ten thousand by their points.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "online_model/structure/dims_rule.h"

namespace ranksight::online_model {

// Whether it gives a grid at all these sizes.
bool HoldsAt(const DimsRule& rule, const std::vector<int64_t>& sizes);

// Whether both give the same shapes at all these sizes, ranks in one order.
bool SameShapes(const DimsRule& a, const DimsRule& b,
                const std::vector<int64_t>& sizes);
// The same, whichever side comes first, in whatever order.
bool SameSides(const DimsRule& a, const DimsRule& b,
               const std::vector<int64_t>& sizes);

// A line, equal sides, MPI_Dims_create, and one side of a few ranks: those that
// ask for no mesh.
std::vector<DimsRule> PlainRules();

// The rule by which all sides but one are constants, where the shapes of all
// these sizes are so, and the other one is seen in three lengths at least: two
// are as often those of a grid of which more sides change. Two sides at least
// are constants: for one there are plain rules. nullopt: there is none.
std::optional<DimsRule> OneFreeRule(
    const std::map<int64_t, std::vector<int64_t>>& shapes, RankOrder order);

// Calls f for each mesh whose sides are any of these lengths.
template <class F>
void ForEachMesh(int ndims, std::span<const int64_t> lengths, const F& f) {
  std::vector<size_t> at(size_t(ndims), 0);
  std::vector<int64_t> mesh(size_t(ndims), lengths[0]);
  for (;;) {
    f(mesh);
    size_t d = 0;
    while (d < at.size() && ++at[d] == lengths.size()) {
      at[d] = 0;
      mesh[d++] = lengths[0];
    }
    if (d == at.size()) return;
    mesh[d] = lengths[at[d]];
  }
}

// All meshes whose sides are small multiples of one another.
// REQUIRES: two or three sides.
std::vector<std::vector<int64_t>> Meshes(int ndims);

// Calls f for each rule by the sides of a mesh, in small multiples of one
// another, that holds at all sizes.
template <class F>
void ForEachMeshRule(const std::vector<int64_t>& sizes, const F& f) {
  using Kind = DimsRule::Kind;
  // Few programs cut by other factors than two.
  const bool are_powers = std::all_of(sizes.begin(), sizes.end(), IsPowerOfTwo);
  for (int ndims = 2; ndims <= 3; ++ndims) {
    for (const auto& mesh : Meshes(ndims)) {
      for (const Kind kind : {Kind::kLeastSurface, Kind::kHalves}) {
        for (const bool reversed : {false, true}) {
          const DimsRule rule{kind, ndims, reversed, 0, {}, mesh};
          if (kind == Kind::kHalves && !are_powers) continue;
          if (HoldsAt(rule, sizes)) f(rule);
        }
      }
    }
  }
}

// Calls f for each rule by the blocks of a mesh whose sides are round numbers
// of points, or some of `others`. What is left over where a block is not whole
// decides between shapes that are nearly as good as one another: ratios of
// sides do not tell.
template <class F>
void ForEachBlockRule(int ndims, std::span<const int64_t> others, const F& f) {
  std::set<int64_t> points{24,  32,  40,  48,  50,  60,  64,  80,
                           96,  100, 120, 128, 160, 200, 240, 250,
                           256, 320, 400, 480, 500, 512};
  points.insert(others.begin(), others.end());
  constexpr auto kind = DimsRule::Kind::kLeastBlockSurface;
  const std::vector<int64_t> lengths(points.begin(), points.end());
  ForEachMesh(ndims, lengths, [&](const std::vector<int64_t>& mesh) {
    for (const bool reversed : {false, true}) {
      f(DimsRule{kind, ndims, reversed, 0, {}, mesh});
    }
  });
}

}  // namespace ranksight::online_model
