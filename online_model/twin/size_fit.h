// Fits of what all ranks do together over the sizes that were run.
//
// Where the ranks form a grid, what goes along it follows its sides: a mesh cut
// by a grid has as many points on all cuts across a side as that side has cuts,
// whatever the shares of single ranks are rounded to. So sums follow sides
// closely where messages of single ranks follow no law.
// Thread-safety: pure functions. Complexity: O(values) for each form.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ranksight::online_model {

// A value at a rank count, and half the width of its 90 % interval.
struct Fitted {
  double value = 0, half_width = 0;
};
struct SizedValue {
  int64_t ranks = 0;
  double value = 0;
  std::vector<int64_t> sides = {};  // of the grid, where there is one
};
// What is asked for.
struct WantedSize {
  int64_t ranks = 0;
  std::vector<int64_t> sides = {};
};
// Of a sum over all ranks. REQUIRES: not empty, ascending, values >= 0.
Fitted FitTotal(std::span<const SizedValue> points, const WantedSize& wanted);
// Whether what grew, or fell, is the same at the two largest sizes: as many
// shares as there are rows, messages of one element.
bool HasReachedLimit(std::span<const SizedValue> points);
// Of what does not add up over ranks.
Fitted FitMean(std::span<const SizedValue> points, int64_t ranks);

// A value at so many ranks, so many of which are together in each part.
struct PartsValue {
  int64_t ranks = 0;
  double value = 0, together = 0;
};
// Of what does not add up over ranks, by what parts of them share: a panel of a
// matrix is as long as there are fewer rows of ranks. -1 where that does not
// tell each size from the largest. REQUIRES: ascending.
double FitByParts(std::span<const PartsValue> points, int64_t ranks,
                  double together);

// Of a sum over all ranks, by the sides of the grid alone; value < 0 where
// these do not tell it.
Fitted FitBySides(std::span<const SizedValue> points, const WantedSize& wanted);

}  // namespace ranksight::online_model
