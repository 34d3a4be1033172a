#include "online_model/fit/occurrence_fit.h"

#include <algorithm>

#include "reduction/api/contract.h"

namespace ranksight::online_model {

// Values that differ by less are the same.
constexpr double kSame = 1e-3;

OccurrenceFit::OccurrenceFit(const std::vector<Point>& points,
                             const std::vector<double>& occurrences)
    : single_(FitSeries(points)) {
  RANKSIGHT_REQUIRE(occurrences.size() == points.size());
  std::vector<Point> totals = points;
  bool known = points.size() > 1;
  for (size_t i = 0; i < totals.size(); ++i) {
    known &= occurrences[i] > 0;
    totals[i].mean *= occurrences[i];
    totals[i].variance *= occurrences[i] * occurrences[i];
  }
  if (!known) return;
  const auto [low, high] = std::minmax_element(
      totals.begin(), totals.end(),
      [](const Point& a, const Point& b) { return a.mean < b.mean; });
  const bool constant = high->mean - low->mean <= kSame * high->mean;
  const double error = single_.model.held_out_error;
  if (!constant && error <= kSame) return;
  SeriesFit total = FitSeries(totals);
  if (constant || total.model.held_out_error < 0.5 * error) {
    total_ = std::move(total);
  }
}

Estimate OccurrenceFit::At(double ranks, double there) const {
  if (!total_ || there <= 0) return single_.At(ranks);
  Estimate e = total_->At(ranks);
  e.value /= there;
  e.statistical /= there * there;
  e.structural /= there * there;
  return e;
}

}  // namespace ranksight::online_model
