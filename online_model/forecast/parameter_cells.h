// Which rank counts and values of a parameter were run together, whether that
// is enough for laws in both, and which run is missing.
// Thread-safety: value types. Complexity: O(cells^2).
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>

namespace ranksight::online_model {

class ParameterCells {
 public:
  using Cell = std::pair<int64_t, double>;  // ranks, value

  explicit ParameterCells(std::set<Cell> cells);
  const std::set<int64_t>& ranks() const { return ranks_; }
  const std::set<double>& values() const { return values_; }

  // Why there are no laws yet; "" when there are enough runs.
  std::string Lacking(const std::string& name) const;
  // The run that would help most. REQUIRES: at least one cell.
  Cell Next() const;

 private:
  // Two rank counts were both run with the same two values.
  bool Crosses() const;
  ParameterCells With(const Cell& cell) const;

  std::set<Cell> cells_;
  std::set<int64_t> ranks_;
  std::set<double> values_;
};

}  // namespace ranksight::online_model
