// Laws of what formulas give on grids of some shapes.
#pragma once

#include <gtest/gtest.h>

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

// The law of what the formula gives there; where there is one.
inline std::optional<ScalarLaw> LawOf(const std::vector<Grid>& grids,
                                      const Formula& f, bool ranked) {
  std::vector<Sample> samples;
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      const Context at(g, r);
      samples.push_back({at, f(at)});
    }
  }
  SearchSpace space;
  space.ndims = grids[0].size();
  space.ranked = ranked;
  space.certain = true;
  return FindScalarLaw(samples, space);
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
