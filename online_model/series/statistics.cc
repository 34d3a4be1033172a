#include "online_model/series/statistics.h"

#include <algorithm>

namespace ranksight::online_model {

std::vector<Point> PointsOf(const Series& series,
                            const std::vector<Column>& columns,
                            const std::vector<size_t>& order) {
  std::vector<Point> points;
  points.reserve(order.size());
  for (size_t column : order) {
    const Cell cell = series.At(column);
    Point p;
    p.ranks = double(columns[column].ranks);
    p.runs = double(columns[column].runs);
    p.parameter = columns[column].parameter;
    p.mean = cell.sum / p.runs;
    if (p.runs > 1) {
      const double spread = cell.sum_squares - p.runs * p.mean * p.mean;
      p.variance = std::max(0.0, spread / (p.runs - 1));
    }
    points.push_back(p);
  }
  return points;
}

}  // namespace ranksight::online_model
