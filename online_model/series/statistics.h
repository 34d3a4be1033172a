// Sufficient statistics of a series: one quantity of one event over rank
// counts, as sums over runs. A run in which the event did not happen counts
// as the value 0, so only the number of runs per rank count is needed
// besides the sums.
//
// Invariants: the order in which runs are added changes nothing but the
// rounding of the sums; the size does not depend on the number of runs.
// Thread-safety: value types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ranksight::online_model {

struct Cell {
  double sum = 0, sum_squares = 0;
  void Add(double v) {
    sum += v;
    sum_squares += v * v;
  }
};

// Cells by column; a column is a rank count, and where runs are told apart by a
// parameter also its value, in the order of first appearance.
class Series {
 public:
  void Add(size_t column, double value) {
    if (column >= cells_.size()) cells_.resize(column + 1);
    cells_[column].Add(value);
  }
  Cell At(size_t column) const {
    return column < cells_.size() ? cells_[column] : Cell();
  }
  const std::vector<Cell>& cells() const { return cells_; }
  void Restore(std::vector<Cell> cells) { cells_ = std::move(cells); }

 private:
  std::vector<Cell> cells_;
};

// A rank count that was measured, and how often.
struct Column {
  int64_t ranks = 0;
  uint64_t runs = 0;
  double parameter = 0;  // 0 where there is none
};

// A series at one rank count, ready to be fitted.
struct Point {
  double ranks = 0;
  double runs = 0;
  double mean = 0;
  double variance = 0;  // between runs, unbiased; 0 when runs == 1
  double parameter = 0;
};

// Ascending by rank count. `order` lists the columns in that order.
std::vector<Point> PointsOf(const Series& series,
                            const std::vector<Column>& columns,
                            const std::vector<size_t>& order);

}  // namespace ranksight::online_model
