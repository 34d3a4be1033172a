#include "online_model/forecast/parameter_cells.h"

#include <fmt/format.h>

#include <vector>

#include "online_model/forecast/next_run.h"
#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

constexpr size_t kLeast = 3;  // different rank counts, and values

}  // namespace

ParameterCells::ParameterCells(std::set<Cell> cells)
    : cells_(std::move(cells)) {
  for (const auto& [ranks, value] : cells_) {
    ranks_.insert(ranks);
    values_.insert(value);
  }
}

bool ParameterCells::Crosses() const {
  for (const auto& [n, p] : cells_) {
    for (const auto& [m, q] : cells_) {
      if (n < m && p != q && cells_.contains({n, q}) &&
          cells_.contains({m, p})) {
        return true;
      }
    }
  }
  return false;
}

ParameterCells ParameterCells::With(const Cell& cell) const {
  std::set<Cell> cells = cells_;
  cells.insert(cell);
  return ParameterCells(std::move(cells));
}

std::string ParameterCells::Lacking(const std::string& name) const {
  if (ranks_.size() < kLeast) {
    return fmt::format("rank counts measured: {}, at least {} are needed",
                       ranks_.size(), kLeast);
  }
  if (values_.size() < kLeast) {
    return fmt::format("values of {} measured: {}, at least {} are needed",
                       name, values_.size(), kLeast);
  }
  if (!Crosses()) {
    return fmt::format(
        "no two rank counts were run with the same two values "
        "of {}: sums and products of laws cannot be told apart",
        name);
  }
  return "";
}

ParameterCells::Cell ParameterCells::Next() const {
  RANKSIGHT_REQUIRE(!cells_.empty());
  if (ranks_.size() < kLeast) {
    const std::vector<int64_t> measured(ranks_.begin(), ranks_.end());
    return {NextSizes(measured).front(), *values_.begin()};
  }
  if (values_.size() < kLeast) return {*ranks_.begin(), 2 * *values_.rbegin()};
  const bool crosses = Crosses();
  Cell best{0, 0}, missing{0, 0};
  for (const int64_t n : ranks_) {
    for (const double p : values_) {
      if (cells_.contains({n, p})) continue;
      if (missing.first == 0) missing = {n, p};
      if (!crosses && !With({n, p}).Crosses()) continue;
      // The cheapest that makes laws possible, then the farthest of the grid.
      if (!crosses) return {n, p};
      best = {n, p};
    }
  }
  // Two more runs are needed: this one, then that.
  if (!crosses) return missing;
  if (best.first > 0) return best;
  const std::vector<int64_t> measured(ranks_.begin(), ranks_.end());
  return {NextSizes(measured).front(), *values_.rbegin()};
}

}  // namespace ranksight::online_model
