// The fit of one series: how much each shape of a family is believed after
// it had to predict every rank count from the others, and what is needed for
// an honest prediction interval.
//
// Two kinds of doubt are kept apart. Statistical: scatter of a single run
// and uncertainty of the coefficients; its size is itself estimated from few
// points, hence Student's t. Structural: shapes that predict about as well
// but say something else at the target, and the held-out error growing with
// every doubling beyond what was measured.
//
// Where no shape holds throughout, but one does up to some rank count and
// another from the next one on (a working set that fits the cache, another
// algorithm of the MPI library), the series has two phases, and what is said
// beyond the measured rank counts is said by the later one alone.
//
// Thread-safety: value types. Complexity: FitSeries is O(shapes * points), and
// times the points where one shape fails; At O(shapes); neither depends on the
// number of runs.
#pragma once

#include <span>
#include <vector>

#include "online_model/api/forecast.h"
#include "online_model/fit/curve.h"
#include "online_model/fit/shapes.h"
#include "online_model/series/statistics.h"

namespace ranksight::online_model {

struct Estimate {
  double value = 0;
  double statistical = 0;  // variance
  double structural = 0;   // variance
  double freedom = 1;      // degrees, of the statistical variance

  // Half the width of the 90 % interval.
  double HalfWidth() const;
};

struct Believed {
  Curve curve;
  double belief = 0;     // shares of 1
  size_t candidate = 0;  // index in the family
};

struct SeriesFit {
  Model model;                   // the curve most believed
  std::vector<Believed> curves;  // that one first; none below 0.1 percent
  ModelFamily family = ModelFamily::kWeighed;
  double noise = 0;      // relative scatter of a single run
  double inflation = 1;  // of the coefficients' covariance
  double freedom = 1;
  double min_ranks = 1, max_ranks = 1;
  // The earlier phase, where there are two: of ranks below model.from.
  std::vector<SeriesFit> before;

  // The curve most believed there.
  const Model& ModelAt(double ranks) const {
    return before.empty() || ranks >= model.from ? model : before[0].model;
  }
  Estimate At(double ranks) const;
  // The same for many series at one rank count: `table` is of this rank count
  // alone.
  Estimate At(double ranks, const BasisTable& table) const;
};

// REQUIRES: points is not empty, means >= 0, ascending rank counts; `table`
// is of the same family and of these rank counts.
SeriesFit FitSeries(std::span<const Point> points, const BasisTable& table,
                    ModelFamily family);
SeriesFit FitSeries(std::span<const Point> points,
                    ModelFamily family = ModelFamily::kWeighed);

// Two-sided 90 % quantile of Student's t. freedom >= 1, may be fractional.
double StudentT90(double freedom);

}  // namespace ranksight::online_model
