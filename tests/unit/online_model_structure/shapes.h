// Shapes of the grids that tests find laws on: sides, slowest first; and
// whether a law gives what it should.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "online_model/structure/expression.h"

namespace ranksight::online_model::testing {

using Dims = std::vector<int64_t>;
using ShapeList = std::vector<Dims>;

inline const ShapeList kSquares{{2, 2}, {3, 3}, {4, 4}, {5, 5}};
inline const ShapeList kBricks{{2, 2, 2}, {3, 2, 2}, {3, 3, 2}, {3, 3, 3}};

inline void ExpectGives(const ExpressionPtr& law,
                        const std::vector<Sample>& samples) {
  ASSERT_NE(law, nullptr);
  for (const Sample& s : samples) {
    EXPECT_EQ(law->At(s.where), s.value) << law->ToString();
  }
}

}  // namespace ranksight::online_model::testing
