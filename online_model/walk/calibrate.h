// The network that makes walks of measured runs take as long as the runs did:
// whole, and event by event. Least squares (Levenberg and Marquardt) over the
// logarithms of the network's numbers, each with a broad prior, so that what
// the runs do not show stays at a common value and is known to be unknown.
//
// Thread-safety: pure functions. Complexity: some hundred walks.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "online_model/walk/lengths.h"
#include "online_model/walk/walk.h"

namespace ranksight::online_model {

// What is known of the machine of the runs beforehand.
struct KnownNetwork {
  std::shared_ptr<const Links> links;         // nullptr for none
  std::shared_ptr<const MessageCurve> curve;  // nullptr, or known()
  double measured_hops = 0;    // between the curve's ranks; 0: not known
  std::optional<bool> pulled;  // Protocol::pulled
};

// A run at one rank count.
struct Measured {
  Program program;
  Costs costs;
  std::vector<double> in_call;  // seconds by event, sum over ranks
  double seconds = 0;
};

class Calibration {
 public:
  // REQUIRES: runs not empty, all with the same number of events, and their
  // ranks have places. kNo when one of them cannot be walked.
  static reduction::Result<Calibration> Fit(const std::vector<Measured>& runs,
                                            const KnownNetwork& known = {});

  // Nothing is fitted: the network is that one, on which runs take as long as
  // their walks.
  static Calibration Of(const NamedNetwork& named);

  // The time of a walk and its relative standard deviation, as far as the
  // network is not known better.
  struct Prediction {
    double seconds = 0, deviation = 0;
    Walked walked;
  };
  // there: where the messages are walked; costs are of it already. stop: of
  // each walk.
  // How many walks that takes.
  double WalksOfPrediction() const;
  reduction::Result<Prediction> Predict(const Program& program,
                                        const Costs& costs,
                                        const OtherPlace& there,
                                        const Stop& stop = {}) const;
  // The walk alone; how far off it may be takes some ten of them.
  reduction::Result<Walked> WalkOnce(const Program& program, const Costs& costs,
                                     const OtherPlace& there,
                                     const Stop& stop = {}) const;
  // The same where calls and messages take no time at all, and who waits for
  // whom alone is left.
  reduction::Result<Walked> WalkWithoutTransfer(const Program& program,
                                                Costs costs,
                                                const OtherPlace& there,
                                                const Stop& stop = {}) const;
  // log(measured / walked), by run; none where the network was given.
  const std::vector<double>& residuals() const { return residuals_; }

 private:
  friend class Calibrator;
  Network NetworkBy(const std::vector<double>& numbers, const OtherPlace& there,
                    const MeanRoute& mean) const;
  // Of the links that are walked, where they are known.
  MeanRoute MeanRouteThere(const OtherPlace& there, int64_t ranks) const;
  // How the logarithm of the time goes with each number; walk(numbers, stop),
  // which for numbers_ takes `seconds`, is called from several threads.
  template <class F>
  reduction::Result<std::vector<double>> Slopes(double seconds, const F& walk,
                                                const Stop& stop) const;
  // Other numbers that meet the runs about as well: by how much less, as a sum
  // of squares of expected errors.
  struct Alternative {
    std::vector<double> numbers;
    double misfit = 0;
  };
  // Takes into account what they would make of the time that is predicted.
  template <class F>
  reduction::Status WeighAlternatives(const F& walk, const Stop& stop,
                                      Prediction* p) const;
  // Both how far messages go and what they take for it.
  bool WayIsKnown() const {
    return known_.links != nullptr && known_.curve != nullptr;
  }
  // Whether the runs, or what is known of the machine, leave a number open.
  bool Matters(size_t number) const;
  std::vector<double> numbers_;          // what is fitted
  std::vector<double> root_covariance_;  // lower triangle of its root
  std::vector<Alternative> alternatives_;
  std::vector<CollectiveForm> forms_;
  KnownNetwork known_;
  Protocol protocol_;
  Lengths lengths_;  // of the runs' messages, and those on the curve
  double reference_ = 1;
  std::vector<double> residuals_;
  std::optional<Network> given_;
};

}  // namespace ranksight::online_model
