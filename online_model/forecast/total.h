// The run time at a rank count, from the fits of all parts.
//
// Bottom-up: S(N) is the sum over events of the fitted computation and call
// seconds of a mean rank, c the mean ratio of measured run time to measured
// sum (slowest rank against mean rank, and what lies outside events). The
// first estimate is c S(N). Top-down: E(N) is the model fitted to the run
// time itself. The forecast is their mean weighted by inverse squared
// interval width; their disagreement widens the interval.
//
// Errors of the parts are neither independent nor equal: how far they move
// together is estimated from the residuals at the measured rank counts.
//
// Thread-safety: value types. Complexity: Fit is O(series x shapes x rank
// counts), At O(series x shapes).
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "online_model/fit/series_fit.h"
#include "online_model/forecast/event_table.h"

namespace ranksight::online_model {

struct Total {
  double seconds = 0, half_width = 0;
  double compute = 0, call = 0;  // of the fitted parts, not calibrated
};

// What is known of one run that is not over, as if it were: seconds of a mean
// rank over the whole run, and which share of a run each value counts.
struct PartOfRun {
  struct Value {
    double seconds = 0, weight = 1;  // weight: 0 < w <= 1
  };
  double ranks = 1;
  // By event of the table; kCompute, kCall. Nothing where nothing is known.
  std::vector<std::array<std::optional<Value>, 2>> values;
  double seconds = 0, weight = 1;  // of the run
};

class TotalModel {
 public:
  static TotalModel Fit(const EventTable& table, ModelFamily family);
  // The same with runs under way besides. REQUIRES: their values are by event
  // of the table that this was fitted to.
  TotalModel With(std::span<const PartOfRun> parts) const;
  Total At(double ranks) const;
  // Half of the interval's width at `ranks` if one more run were made at
  // `supposed`. Only the series that matter most are fitted again.
  double HalfWidthIf(double supposed, double ranks) const;

  const SeriesFit& PartFit(size_t event, Quantity q) const {
    return parts_[event][q];
  }
  const SeriesFit& elapsed() const { return elapsed_; }
  // Of the run time to what the events of a mean rank add up to.
  double ratio() const { return ratio_; }

 private:
  void Calibrate(const EventTable& table);
  void FindCorrelation();
  // Estimates of all parts, two an event: computation, call.
  std::vector<Estimate> PartsAt(double ranks) const;
  Total Join(const std::vector<Estimate>& parts, const Estimate& whole) const;

  ModelFamily family_ = ModelFamily::kWeighed;
  std::vector<std::array<SeriesFit, kQuantities>> parts_;
  std::vector<std::array<std::vector<Point>, 2>> points_;  // kCompute, kCall
  SeriesFit elapsed_;
  std::vector<Point> elapsed_points_;
  double ratio_ = 1, ratio_variance_ = 0;
  double correlation_ = 1;
};

}  // namespace ranksight::online_model
