// Laws of what formulas give on grids of some shapes.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "online_model/structure/scalar_law.h"
#include "tests/unit/online_model_structure/shapes.h"

namespace ranksight::online_model::testing {

using Formula = std::function<int64_t(const Context&)>;

inline std::vector<Grid> GridsOf(const ShapeList& shapes) {
  std::vector<Grid> grids;
  for (const auto& dims : shapes) grids.push_back({dims});
  return grids;
}

// What the formula gives on all ranks of each.
inline std::vector<Sample> SamplesOn(const std::vector<Grid>& grids,
                                     const Formula& f) {
  std::vector<Sample> samples;
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      const Context at(g, r);
      samples.push_back({at, f(at)});
    }
  }
  return samples;
}

// Of the middles of so many cells in a row those in part x of the row, which is
// cut evenly. One on the border is in the part before it, or behind.
inline int64_t PointsInBox(bool before, int64_t cells, int64_t parts,
                           int64_t x) {
  int64_t points = 0;
  for (int64_t i = 0; i < cells; ++i) {
    const int64_t middle = (2 * i + 1) * parts;
    const int64_t low = 2 * x * cells, high = low + 2 * cells;
    points += before ? low < middle && middle <= high
                     : low <= middle && middle < high;
  }
  return points;
}

// Where the parts of a whole begin, cut as programs cut it, each by the loop or
// formula that they write.
inline std::vector<int64_t> BeginsOf(int cut, int64_t whole, int64_t parts) {
  std::vector<int64_t> begins{0};
  const int64_t up = (whole + parts - 1) / parts;
  for (int64_t x = 0; x < parts; ++x) {
    int64_t size = whole / parts;
    if (cut == 0) size += x < whole % parts;
    if (cut == 1) size += x >= parts - whole % parts;
    if (cut == 2) size = (x + 1) * whole / parts - x * whole / parts;
    if (cut == 3) {
      size = std::min(whole, (x + 1) * up) - std::min(whole, x * up);
    }
    if (cut == 4 && x == parts - 1) size += whole % parts;
    if (cut == 5 && x == 0) size += whole % parts;
    if (cut == 6 || cut == 7) size = PointsInBox(cut == 7, whole, parts, x);
    begins.push_back(begins.back() + size);
  }
  return begins;
}

// The law of what the formula gives there; where there is one.
inline std::optional<ScalarLaw> LawOf(const std::vector<Grid>& grids,
                                      const Formula& f, bool ranked) {
  SearchSpace space;
  space.ndims = grids[0].size();
  space.ranked = ranked;
  space.certain = true;
  return FindScalarLaw(SamplesOn(grids, f), space);
}

// The law found on these shapes gives the formula on the targets.
inline void ExpectHolds(const ShapeList& shapes, const ShapeList& targets,
                        const Formula& f, bool ranked) {
  const auto grids = GridsOf(shapes);
  const auto law = LawOf(grids, f, ranked);
  ASSERT_TRUE(law.has_value());
  for (const Grid& g : GridsOf(targets)) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      const Context at(g, r);
      ASSERT_EQ(law->At(at), f(at))
          << law->ToString() << " at " << r << " of " << DimsText(g.dims);
    }
  }
}

}  // namespace ranksight::online_model::testing
