// Shapes of the grids that tests find laws on: sides, slowest first.
#pragma once

#include <cstdint>
#include <vector>

namespace ranksight::online_model::testing {

using Dims = std::vector<int64_t>;
using ShapeList = std::vector<Dims>;

inline const ShapeList kSquares{{2, 2}, {3, 3}, {4, 4}, {5, 5}};
inline const ShapeList kBricks{{2, 2, 2}, {3, 2, 2}, {3, 3, 2}, {3, 3, 3}};

}  // namespace ranksight::online_model::testing
