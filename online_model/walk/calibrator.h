// Calibrator: the fit of one protocol's network to measured runs
// (calibrate.h).
// Thread-safety: one object, one thread; it walks on all cores.
#pragma once

#include <array>
#include <vector>

#include "online_model/walk/cholesky.h"
#include "online_model/walk/network_numbers.h"

namespace ranksight::online_model {

class Calibrator {
 public:
  // REQUIRES: as Calibration::Fit; the runs outlive it.
  Calibrator(const std::vector<Measured>& runs, const Protocol& protocol,
             const KnownNetwork& known);
  // The sum of squares that is left, in the errors expected. kNo when a run
  // cannot be walked.
  reduction::Result<double> Run();
  // REQUIRES: Run() ended well.
  Calibration& result() { return c_; }

 private:
  using Vector = std::vector<double>;

  NumberPrior PriorOf(size_t number) const;
  bool IsWalkedAsMessages(const Operation& op) const;
  // The same way on average, where distance makes most of its latency: what
  // runs say little of whose ranks are all as far from one another.
  Vector ByDistance(Vector numbers) const;
  // From there to where the residuals, which it gives, are least.
  reduction::Result<Vector> Descend(const Vector& start);
  static double Sum(const Vector& v);
  // Residuals of the runs; those of what is known beforehand follow.
  size_t RowsOfRuns() const;
  reduction::Result<Vector> Residuals(const Vector& numbers) const;
  reduction::Result<std::vector<Vector>> Jacobian(const Vector& at) const;
  // How the residuals, which are `at` now, go with one number.
  reduction::Result<Vector> Column(const Vector& at, size_t number) const;
  static Matrix Normal(const std::vector<Vector>& jacobian);
  bool Improve(const std::vector<Vector>& jacobian, Vector* now,
               double* damping);
  reduction::Result<double> Finish(const Vector& now);
  // How far off the runs are met, in the errors expected of walks: whole, and
  // with their events, where each number that the runs and not the prior decide
  // has met one of those.
  double Missed(const std::vector<Vector>& jacobian, const Vector& now) const;

  const std::vector<Measured>& runs_;
  Calibration c_;
  std::vector<MeanRoute> mean_routes_;  // by run, of the links that are known
  // By form: all of the runs are walked as messages.
  std::array<bool, size_t(CollectiveForm::kForms)> in_messages_;
};

}  // namespace ranksight::online_model
