#include "online_model/walk/calibrate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <set>
#include <utility>

#include "online_model/walk/calibrator.h"
#include "online_model/walk/cholesky.h"
#include "online_model/walk/protocols.h"
#include "reduction/api/contract.h"
#include "reduction/api/in_parallel.h"

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Status;

// How much the powers of byte time and latency may differ, beyond the
// measured sizes, from what they were there.
constexpr double kByteDrift = 0.2, kLatencyDrift = 0.15;
// The same where links are known: what the order of messages on a link, taken
// for the sharing that a network does, leaves open.
constexpr double kLinkedDrift = 0.05;
// How much byte time and latency of messages may differ whose length is half or
// twice that of any in the runs, and by the root of further doublings: what
// they do, root mean square, from 64 bytes to kLong in the ping-pong that
// SimGrid's SMPI takes its network from.
constexpr double kByteByLength = 0.4, kLatencyByLength = 0.2;
// Of numbers that meet the runs, too, those are left out that are less likely
// than this part of the best: three deviations.
constexpr double kLeastLikely = 0.01;
// Of finite differences, as the calibrator's; for how the time goes far from
// the runs.
constexpr double kSlopeStep = 0.01, kLinkedSlopeStep = 0.7;

// Of one protocol after the other the best so far.
class BestFit {
 public:
  BestFit(const std::vector<Measured>& runs, const KnownNetwork& known)
      : runs_(runs), known_(known) {}

  // Whether it is better than the best: its error a part of that one's.
  bool Try(const Protocol& protocol, double part) {
    Calibrator calibrator(runs_, protocol, known_);
    const auto sum = calibrator.Run();
    if (!sum.ok()) status_ = sum.status();
    if (!sum.ok() || !(*sum < part * least_)) return false;
    least_ = *sum;
    best_ = std::move(calibrator.result());
    protocol_ = protocol;
    return true;
  }

  const Protocol& protocol() const { return protocol_; }
  Result<Calibration> Take() {
    if (std::isinf(least_)) return status_;
    return std::move(best_);
  }

 private:
  const std::vector<Measured>& runs_;
  const KnownNetwork& known_;
  double least_ = std::numeric_limits<double>::infinity();
  Calibration best_;
  Protocol protocol_;
  Status status_ = Status::No("no runs");
};

// Which collectives of the runs have a root, and are walked as messages.
std::vector<CollectiveForm> RootedForms(const std::vector<Measured>& runs,
                                        const KnownNetwork& known) {
  std::set<CollectiveForm> forms;
  if (known.links == nullptr) return {};
  for (const Measured& run : runs) {
    for (const Operation& op : run.program.operations) {
      if (op.by_members) forms.insert(op.form);
    }
  }
  return {forms.begin(), forms.end()};
}

// Trees or flat: from all of one kind, and from all of the other, one changed
// after the other for as long as that is better. From one alone what is wrong
// of two forms makes up for each other.
void TryShapes(const std::vector<CollectiveForm>& forms,
               const Protocol& protocol, BestFit* best) {
  Protocol flat = protocol;
  for (const CollectiveForm form : forms) flat.flat[size_t(form)] = true;
  best->Try(protocol, 1);
  if (!forms.empty()) best->Try(flat, 1);
  if (forms.size() < 2) return;
  for (size_t i = 0, same = 0; same < forms.size(); ++i) {
    Protocol other = best->protocol();
    bool& is_flat = other.flat[size_t(forms[i % forms.size()])];
    is_flat = !is_flat;
    same = best->Try(other, 1) ? 1 : same + 1;
  }
}

}  // namespace

Result<Calibration> Calibration::Fit(const std::vector<Measured>& runs,
                                     const KnownNetwork& known) {
  RANKSIGHT_REQUIRE(!runs.empty());
  RANKSIGHT_REQUIRE(std::ranges::all_of(runs, [&](const Measured& run) {
    return run.in_call.size() == runs[0].in_call.size();
  }));
  // What most libraries do, unless another one is clearly better.
  constexpr double kClearly = 0.7;
  BestFit best(runs, known);
  const std::vector<Protocol> protocols = Protocols(runs, known.pulled);
  TryShapes(RootedForms(runs, known), protocols[0], &best);
  for (size_t i = 1; i < protocols.size(); ++i) {
    Protocol protocol = protocols[i];
    protocol.flat = best.protocol().flat;
    best.Try(protocol, kClearly);
  }
  return best.Take();
}

Calibration Calibration::Of(const NamedNetwork& named) {
  Calibration c;
  c.given_ = NetworkOf(named);
  return c;
}

// Powers of the rank count stand for links that are not known.
bool Calibration::Matters(size_t number) const {
  switch (number) {
    case kLatencyPower:
    case kBytePower:
      return known_.links == nullptr;
    case kHop:
    case kLinkByte:
      return known_.links != nullptr;
    case kLongLatency:
    case kShortByte:
      return known_.curve == nullptr && lengths_.longest() > Network::kLong;
    default:
      return true;
  }
}

Network Calibration::NetworkBy(const std::vector<double>& numbers,
                               const OtherPlace& there,
                               const MeanRoute& mean) const {
  Network n =
      NetworkFrom(numbers, forms_, protocol_, reference_, known_).In(there);
  n.mean_route = mean;
  return n;
}

MeanRoute Calibration::MeanRouteThere(const OtherPlace& there,
                                      int64_t ranks) const {
  const auto& links = there.links != nullptr ? there.links : known_.links;
  return links != nullptr ? MeanRouteOf(*links, ranks) : MeanRoute();
}

Result<Walked> Calibration::WalkOnce(const Program& program, const Costs& costs,
                                     const OtherPlace& there,
                                     const Stop& stop) const {
  if (given_) return Walk(program, costs, given_->In(there), stop);
  const MeanRoute mean = MeanRouteThere(there, program.ranks);
  return Walk(program, costs, NetworkBy(numbers_, there, mean), stop);
}

Result<Walked> Calibration::WalkWithoutTransfer(const Program& program,
                                                Costs costs,
                                                const OtherPlace& there,
                                                const Stop& stop) const {
  for (EventCost& e : costs.events) e.local = 0;
  const Protocol& protocol = given_ ? *given_ : protocol_;
  return Walk(program, costs, WithoutTransfer(protocol, there.bytes_scale),
              stop);
}

template <class F>
Result<std::vector<double>> Calibration::Slopes(double seconds, const F& walk,
                                                const Stop& stop) const {
  const bool linked = known_.links != nullptr;
  const double step = linked ? kLinkedSlopeStep : kSlopeStep;
  const size_t n = numbers_.size();
  // On links to either side, for the jumps.
  const size_t sides = linked ? 2 : 1;
  std::vector<double> there(n * sides, seconds);
  std::vector<Status> status(n * sides);
  // Asked by one at a time, and no more once it has said so.
  std::mutex asking;
  Status stopped;
  Stop ask;
  if (stop) {
    ask = [&] {
      const std::lock_guard lock(asking);
      if (stopped.ok()) stopped = stop();
      return stopped;
    };
  }
  reduction::InParallel(n * sides, [&](size_t i) {
    if (!Matters(i / sides)) return;
    std::vector<double> moved = numbers_;
    moved[i / sides] += i % sides == 0 ? step : -step;
    const auto walked = walk(moved, ask);
    if (walked.ok()) there[i] = walked->seconds;
    status[i] = walked.status();
  });
  for (const Status& s : status) {
    if (!s.ok()) return s;
  }
  std::vector<double> slope(n);
  for (size_t i = 0; i < n; ++i) {
    const double before = linked ? there[2 * i + 1] : seconds;
    slope[i] = std::log(there[i * sides] / before) / (double(sides) * step);
  }
  return slope;
}

double Calibration::WalksOfPrediction() const {
  if (given_) return 1;
  const double sides = known_.links != nullptr ? 2 : 1;  // as Slopes
  double walks = 1 + double(alternatives_.size());
  for (size_t i = 0; i < numbers_.size(); ++i) walks += Matters(i) ? sides : 0;
  return walks;
}

Result<Calibration::Prediction> Calibration::Predict(const Program& program,
                                                     const Costs& costs,
                                                     const OtherPlace& there,
                                                     const Stop& stop) const {
  if (given_) {
    auto walked = Walk(program, costs, given_->In(there), stop);
    if (!walked.ok()) return walked.status();
    const double seconds = walked->seconds;
    return Prediction{seconds, 0, std::move(*walked)};
  }
  const MeanRoute mean = MeanRouteThere(there, program.ranks);
  const auto walk = [&](const std::vector<double>& numbers, const Stop& until) {
    return Walk(program, costs, NetworkBy(numbers, there, mean), until);
  };
  auto walked = walk(numbers_, stop);
  if (!walked.ok()) return walked.status();
  Prediction p;
  p.seconds = walked->seconds;
  const size_t n = numbers_.size();
  const auto slopes = Slopes(p.seconds, walk, stop);
  if (!slopes.ok()) return slopes.status();
  const std::vector<double>& slope = *slopes;
  // Error propagation: slope' C slope, by the Cholesky factor of the
  // covariance's inverse.
  if (!root_covariance_.empty()) {
    const std::vector<double> x = Solve(root_covariance_, slope);
    double variance = 0;
    for (size_t i = 0; i < n; ++i) variance += slope[i] * x[i];
    p.deviation = std::sqrt(std::max(0.0, variance));
  }
  // Powers of the rank count were fitted to the runs: beyond them they may be
  // others, the more the farther.
  const double beyond =
      std::log(std::max(1.0, double(program.ranks) / reference_));
  const bool linked = known_.links != nullptr;
  const double byte_drift = linked ? kLinkedDrift : kByteDrift;
  const double latency_drift = WayIsKnown() ? 0
                               : linked     ? kLinkedDrift
                                            : kLatencyDrift;
  const double of_latency = slope[kLatency] + slope[kHop];
  p.deviation = std::hypot(p.deviation, slope[kByte] * byte_drift * beyond,
                           of_latency * latency_drift * beyond);
  const double other_lengths =
      std::sqrt(lengths_.DoublingsBeyond(program, there.bytes_scale));
  p.deviation =
      std::hypot(p.deviation, slope[kByte] * kByteByLength * other_lengths,
                 of_latency * kLatencyByLength * other_lengths);
  p.walked = std::move(*walked);
  const Status weighed = WeighAlternatives(walk, stop, &p);
  if (!weighed.ok()) return weighed;
  return p;
}

// Each counts as likely as its misfit lets it be.
template <class F>
Status Calibration::WeighAlternatives(const F& walk, const Stop& stop,
                                      Prediction* p) const {
  double weights = 1, sum = 0, squares = 0;
  for (const Alternative& a : alternatives_) {
    const double weight = std::exp(-a.misfit / 2);
    if (weight < kLeastLikely) continue;
    const auto walked = walk(a.numbers, stop);
    if (!walked.ok()) return walked.status();
    const double away = std::log(walked->seconds / p->seconds);
    weights += weight;
    sum += weight * away;
    squares += weight * away * away;
  }
  // Mean and variance of a mixture, in logarithms; the numbers themselves count
  // as 1.
  const double mean = sum / weights;
  p->seconds *= std::exp(mean);
  p->deviation = std::hypot(
      p->deviation, std::sqrt(std::max(0.0, squares / weights - mean * mean)));
  return Status::Ok();
}

}  // namespace ranksight::online_model
