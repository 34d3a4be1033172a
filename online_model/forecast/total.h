// The run time at a rank count, from the fits of all parts (join_parts.h).
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
#include "online_model/forecast/join_parts.h"

namespace ranksight::online_model {

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
  double ratio() const { return join_.ratio; }

 private:
  void FindCorrelation();
  // Estimates of all parts, two an event: computation, call.
  std::vector<Estimate> PartsAt(double ranks) const;

  ModelFamily family_ = ModelFamily::kWeighed;
  std::vector<std::array<SeriesFit, kQuantities>> parts_;
  std::vector<std::array<std::vector<Point>, 2>> points_;  // kCompute, kCall
  SeriesFit elapsed_;
  std::vector<Point> elapsed_points_;
  PartsToWhole join_;
};

}  // namespace ranksight::online_model
