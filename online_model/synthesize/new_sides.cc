#include "online_model/synthesize/new_sides.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "online_model/structure/dims_rule.h"
#include "online_model/synthesize/same_streams.h"

namespace ranksight::online_model {
namespace {

using reduction::Status;
using reduction::Trace;

// Grids that both laws have a trace for: fewer show nothing.
constexpr int kFewestCompared = 2;
constexpr size_t kMostGrids = 24;

// Lengths of a side in all runs but the last.
std::set<int64_t> LengthsBefore(std::span<const Grid> grids, size_t side) {
  std::set<int64_t> lengths;
  for (const Grid& g : grids.first(grids.size() - 1)) {
    lengths.insert(g.dims[side]);
  }
  return lengths;
}

// Of more lengths than these two a run less would have shown how laws go on.
bool IsNew(std::span<const Grid> grids, size_t side, bool from_one) {
  const std::set<int64_t> lengths = LengthsBefore(grids, side);
  const int64_t longest = *lengths.rbegin();
  return lengths.size() <= 2 && (longest > 1 || from_one) &&
         grids.back().dims[side] > longest;
}

// Of a side that is not new: those of runs, what divides the last, and twice
// that.
void AddOtherLengths(int64_t last, std::set<int64_t>* lengths) {
  for (int64_t n = 2; n <= last; ++n) {
    if (last % n == 0) lengths->insert(n);
  }
  lengths->insert(2 * last);
}

// Grids of no run whose new sides are as long as in runs, the smallest first.
std::vector<Grid> GridsWithout(std::span<const Grid> grids, bool from_one) {
  const Grid& largest = grids.back();
  std::vector<Grid> made{{{}, largest.order}};
  for (size_t d = 0; d < largest.dims.size(); ++d) {
    std::set<int64_t> lengths = LengthsBefore(grids, d);
    if (!IsNew(grids, d, from_one)) AddOtherLengths(largest.dims[d], &lengths);
    std::vector<Grid> longer;
    for (const Grid& g : made) {
      for (const int64_t length : lengths) {
        longer.push_back(g);
        longer.back().dims.push_back(length);
      }
    }
    made = std::move(longer);
  }
  std::erase_if(made, [&](const Grid& g) {
    const bool is_run =
        std::any_of(grids.begin(), grids.end(),
                    [&g](const Grid& run) { return run.dims == g.dims; });
    return is_run || g.ranks() < 2 || g.ranks() > 4 * largest.ranks() ||
           !IsOrdered(g.dims, g.order);
  });
  std::stable_sort(made.begin(), made.end(), [](const Grid& a, const Grid& b) {
    return a.ranks() < b.ranks();
  });
  if (made.size() > kMostGrids) made.resize(kMostGrids);
  return made;
}

}  // namespace

bool HasNewSide(std::span<const Grid> grids, bool from_one) {
  for (size_t d = 0; d < grids.back().dims.size(); ++d) {
    if (IsNew(grids, d, from_one)) return true;
  }
  return false;
}

Status CheckAgainstFewer(const NodeLaw& of_all, const NodeLaw& of_fewer,
                         const Trace& like, std::span<const Grid> grids,
                         bool from_one) {
  int compared = 0;
  for (const Grid& grid : GridsWithout(grids, from_one)) {
    const auto all = InstantiateTrace(of_all, like, grid);
    if (!all.ok()) continue;
    const auto fewer = InstantiateTrace(of_fewer, like, grid);
    if (!fewer.ok()) continue;
    const auto same = CompareStreams(*fewer, *all);
    if (!same.ok()) return same.status();
    ++compared;
  }
  if (compared >= kFewestCompared) return Status::Ok();
  return Status::No("no grid tells what the largest run alone shows");
}

Status CheckFromOne(std::span<const Grid> grids,
                    const std::vector<int64_t>& dims) {
  for (size_t d = 0; d < dims.size(); ++d) {
    const int64_t seen = grids.back().dims[d];
    const bool from_one = LengthsBefore(grids, d) == std::set<int64_t>{1};
    if (!from_one || dims[d] <= seen) continue;
    return Status::No("side " + std::to_string(d) +
                      " of the grid is more than one rank in the largest run "
                      "alone, " +
                      std::to_string(seen) + " there and " +
                      std::to_string(dims[d]) +
                      " at the target; give a run in which it is another");
  }
  return Status::Ok();
}

}  // namespace ranksight::online_model
