// The law of what one occurrence of an event takes, over rank counts: on its
// own, or as a share of a total over all occurrences, whichever is simpler. A
// block of a ring's 1 / N^2 is the one, work handed out by a master the other;
// their product or quotient with the number of occurrences is no simple law.
// Thread-safety: value type.
#pragma once

#include <optional>
#include <vector>

#include "online_model/fit/series_fit.h"

namespace ranksight::online_model {

class OccurrenceFit {
 public:
  // points: of one occurrence. occurrences: of all ranks, of the same sizes.
  // REQUIRES: as FitSeries; occurrences.size() == points.size().
  OccurrenceFit(const std::vector<Point>& points,
                const std::vector<double>& occurrences);
  // there: occurrences of all ranks at `ranks`; 0 where nobody knows.
  Estimate At(double ranks, double there) const;

 private:
  SeriesFit single_;
  std::optional<SeriesFit> total_;  // where that is simpler
};

}  // namespace ranksight::online_model
