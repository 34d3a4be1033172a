#include "online_model/walk/calibrate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <set>
#include <utility>

#include "online_model/walk/cholesky.h"
#include "online_model/walk/protocols.h"
#include "online_model/walk/rooted.h"
#include "online_model/walk/rounds.h"
#include "reduction/api/in_parallel.h"

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Status;

// Relative error that a walk of a run is expected to have: of the whole, and of
// the share of the whole that one event has, which is a part of that share and
// a floor, for who waits where; never more than kEvent. Smaller ones make the
// fit follow single events more: at larger sizes those that are short now may
// be what takes the time.
constexpr double kWhole = 0.01, kEvent = 0.02;
constexpr double kEventPart = 0.1, kEventFloor = 0.002;
// Runs that are met better say more of the network, down to this part of these
// errors: larger runs may show what these do not.
constexpr double kBestMet = 0.3;
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
constexpr int kSteps = 12;
// By how much the second start has less of the one latency and more of the
// other; any that puts most of it there does.
constexpr double kFar = 1.5;
// What is left then of a latency.
constexpr double kNotByDistance = 0.2;
// Of finite differences; on links the order of messages changes with the
// numbers, so that the time makes small jumps, and steps must be larger.
constexpr double kStep = 1e-3, kLinkedStep = 0.03;
constexpr double kSlopeStep = 0.01, kLinkedSlopeStep = 0.7;

enum Number : size_t {
  kOverhead,
  kLatency,
  kByte,
  kGap,
  kLatencyPower,
  kBytePower,
  kHop,
  kLinkByte,
  kLongLatency,
  kShortByte,
  kFirstForm  // then stage and volume for each form
};

struct Prior {
  double mean, deviation;
};
// Common values of today's networks, each within two orders of magnitude.
const Prior kPriors[] = {{std::log(2e-7), 2},
                         {std::log(2e-6), 2},
                         {std::log(5e-10), 2},
                         {std::log(0.3), 1},
                         {0, 0.2},
                         {0, 0.2},
                         {std::log(2e-7), 2},
                         {0, 0.3},
                         {std::log(1.5), 0.7},
                         {std::log(1.4), 0.5}};
// Where all messages of the runs are short, their byte is the one that is
// known.
constexpr Prior kAllShort = {0, 0.5};
constexpr Prior kFormPrior = {0, 1};
// How far what was measured between two ranks may be from what it is in the
// runs where links are known, each number of it: latency, bytes, what these
// take of a link, and the messages of collectives. Twice as much lets the fit
// take messages that meet for a longer latency.
constexpr double kAsMeasured = 0.05;
// Of the stages of collectives that are walked as messages.
constexpr Prior kMessagesPrior = {0, 0.3};

Network NetworkOf(const std::vector<double>& numbers,
                  const std::vector<CollectiveForm>& forms,
                  const Protocol& protocol, double reference,
                  const KnownNetwork& known) {
  Network n;
  static_cast<Protocol&>(n) = protocol;
  n.overhead = std::exp(numbers[kOverhead]);
  n.latency = std::exp(numbers[kLatency]);
  n.byte = std::exp(numbers[kByte]);
  n.gap = n.byte * std::min(1.0, std::exp(numbers[kGap]));
  n.curve = known.curve;
  n.links = known.links;
  if (n.links != nullptr) {
    n.hop = std::exp(numbers[kHop]);
    n.link_byte = n.byte * std::exp(numbers[kLinkByte]);
  } else {
    n.latency_power = numbers[kLatencyPower];
    n.byte_power = numbers[kBytePower];
  }
  n.long_latency = std::exp(numbers[kLongLatency]);
  n.short_byte = std::exp(numbers[kShortByte]);
  n.reference = reference;
  for (size_t i = 0; i < forms.size(); ++i) {
    n.stage[size_t(forms[i])] = std::exp(numbers[kFirstForm + 2 * i]);
    n.volume[size_t(forms[i])] = std::exp(numbers[kFirstForm + 2 * i + 1]);
  }
  return n;
}

}  // namespace

class Calibrator {
 public:
  Calibrator(const std::vector<Measured>& runs, const Protocol& protocol,
             const KnownNetwork& known)
      : runs_(runs) {
    c_.known_ = known;
    c_.protocol_ = protocol;
    in_messages_.fill(true);
    std::array<bool, size_t(CollectiveForm::kForms)> seen{};
    for (const Measured& run : runs) {
      c_.lengths_.Add(run.program);
      for (const Operation& op : run.program.operations) {
        if (op.kind != Operation::Kind::kCollective) continue;
        seen[size_t(op.form)] = true;
        if (!IsWalkedAsMessages(op)) in_messages_[size_t(op.form)] = false;
      }
      c_.reference_ = std::max(c_.reference_, double(run.program.ranks));
    }
    if (known.curve != nullptr) {
      c_.lengths_.Add(known.curve->shortest(), known.curve->longest());
    }
    for (size_t f = 0; f < seen.size(); ++f) {
      if (seen[f]) c_.forms_.push_back(CollectiveForm(f));
    }
    const size_t n = kFirstForm + 2 * c_.forms_.size();
    for (size_t i = 0; i < n; ++i) c_.numbers_.push_back(PriorOf(i).mean);
  }

  Result<double> Run() {
    std::vector<Vector> starts = {c_.numbers_};
    if (c_.known_.links != nullptr) {
      // On links the time jumps, and what is found depends on the start. From
      // where distance makes most of the latency, too.
      starts.push_back(c_.numbers_);
      starts.back()[kLatency] -= kFar;
      starts.back()[kHop] += kFar;
    }
    Vector best;
    std::vector<Calibration::Alternative> found;
    for (const Vector& start : starts) {
      auto there = Descend(start);
      if (!there.ok()) return there.status();
      found.push_back({c_.numbers_, Sum(*there)});
      if (best.empty() || Sum(*there) < Sum(best)) best = std::move(*there);
    }
    std::ranges::sort(found, {}, &Calibration::Alternative::misfit);
    c_.numbers_ = found.front().numbers;
    if (c_.known_.links != nullptr) {
      const Vector far = ByDistance(c_.numbers_);
      const auto there = Residuals(far);
      if (!there.ok()) return there.status();
      if (far != c_.numbers_) found.push_back({far, Sum(*there)});
    }
    c_.alternatives_.assign(found.begin() + 1, found.end());
    for (Calibration::Alternative& a : c_.alternatives_) a.misfit -= Sum(best);
    return Finish(best);
  }

  Calibration& result() { return c_; }

 private:
  using Vector = std::vector<double>;

  Prior PriorOf(size_t number) const {
    const bool measured = c_.WayIsKnown();
    if (number == kByte && measured) {
      return {std::log(c_.known_.curve->byte()), kAsMeasured};
    }
    if (number == kLinkByte && measured) return {0, kAsMeasured};
    if (number == kShortByte && !c_.Matters(number)) return kAllShort;
    if (number < kFirstForm) return kPriors[number];
    const bool is_stage = (number - kFirstForm) % 2 == 0;
    const CollectiveForm form = c_.forms_[(number - kFirstForm) / 2];
    if (!in_messages_[size_t(form)]) return kFormPrior;
    if (measured) return {0, kAsMeasured};
    return is_stage ? kMessagesPrior : kFormPrior;
  }

  bool IsWalkedAsMessages(const Operation& op) const {
    if (c_.known_.links == nullptr) return false;
    return op.by_members || InRounds(c_.known_.links.get(), op.form, 2);
  }

  // The same way on average, where distance makes most of its latency: what
  // runs say little of whose ranks are all as far from one another.
  Vector ByDistance(Vector numbers) const {
    const MeanRoute mean =
        MeanRouteOf(*c_.known_.links, int64_t(c_.reference_));
    const double of_hops = mean.hops * std::exp(numbers[kHop]);
    const double all = std::exp(numbers[kLatency]) + of_hops;
    if (mean.hops <= 0 || of_hops > (1 - kNotByDistance) * all) return numbers;
    numbers[kLatency] = std::log(kNotByDistance * all);
    numbers[kHop] = std::log((1 - kNotByDistance) * all / mean.hops);
    return numbers;
  }

  // From there to where the residuals, which it gives, are least.
  Result<Vector> Descend(const Vector& start) {
    c_.numbers_ = start;
    auto now = Residuals(start);
    if (!now.ok()) return now.status();
    double damping = 1e-2;
    for (int step = 0; step < kSteps; ++step) {
      const auto jacobian = Jacobian(*now);
      if (!jacobian.ok()) return jacobian.status();
      const double before = Sum(*now);
      if (!Improve(*jacobian, &*now, &damping)) break;
      if (Sum(*now) > 0.999 * before) break;
    }
    return now;
  }

  static double Sum(const Vector& v) {
    double sum = 0;
    for (const double x : v) sum += x * x;
    return sum;
  }

  // Residuals of the runs; those of what is known beforehand follow.
  size_t RowsOfRuns() const {
    return runs_.size() * (1 + runs_[0].in_call.size());
  }

  Result<Vector> Residuals(const Vector& numbers) const {
    Vector out;
    const Network network =
        NetworkOf(numbers, c_.forms_, c_.protocol_, c_.reference_, c_.known_);
    for (const Measured& run : runs_) {
      const auto walked = Walk(run.program, run.costs, network);
      if (!walked.ok()) return walked.status();
      out.push_back(std::log(walked->seconds / run.seconds) / kWhole);
      const double all = run.seconds * double(run.program.ranks);
      for (size_t e = 0; e < run.in_call.size(); ++e) {
        const double share = run.in_call[e] / all;
        const double error =
            std::min(kEvent, std::hypot(kEventPart * share, kEventFloor));
        out.push_back((walked->in_call[e] / all - share) / error);
      }
    }
    for (size_t i = 0; i < numbers.size(); ++i) {
      out.push_back((numbers[i] - PriorOf(i).mean) / PriorOf(i).deviation);
    }
    if (c_.known_.measured_hops > 0) {
      const double latency = network.LatencyOf(0, c_.known_.measured_hops);
      out.push_back(
          std::log((network.overhead + latency) / c_.known_.curve->latency()) /
          kAsMeasured);
    }
    return out;
  }

  Result<std::vector<Vector>> Jacobian(const Vector& at) const {
    std::vector<Vector> columns(c_.numbers_.size());
    std::vector<Status> status(columns.size());
    reduction::InParallel(columns.size(), [&](size_t i) {
      auto column = Column(at, i);
      status[i] = column.status();
      if (column.ok()) columns[i] = std::move(*column);
    });
    for (const Status& s : status) {
      if (!s.ok()) return s;
    }
    return columns;
  }

  // How the residuals, which are `at` now, go with one number.
  Result<Vector> Column(const Vector& at, size_t number) const {
    if (!c_.Matters(number)) {
      Vector column(at.size());
      column[RowsOfRuns() + number] = 1 / PriorOf(number).deviation;
      return column;
    }
    Vector moved = c_.numbers_;
    const double step = c_.known_.links != nullptr ? kLinkedStep : kStep;
    moved[number] += step;
    auto there = Residuals(moved);
    if (!there.ok()) return there;
    for (size_t k = 0; k < at.size(); ++k) {
      (*there)[k] = ((*there)[k] - at[k]) / step;
    }
    return there;
  }

  static Matrix Normal(const std::vector<Vector>& jacobian) {
    const size_t n = jacobian.size();
    Matrix m(n * n);
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = 0; j < n; ++j) {
        double sum = 0;
        for (size_t k = 0; k < jacobian[i].size(); ++k) {
          sum += jacobian[i][k] * jacobian[j][k];
        }
        m[i * n + j] = sum;
      }
    }
    return m;
  }

  bool Improve(const std::vector<Vector>& jacobian, Vector* now,
               double* damping) {
    const size_t n = jacobian.size();
    const Matrix normal = Normal(jacobian);
    Vector down(n);
    for (size_t i = 0; i < n; ++i) {
      for (size_t k = 0; k < now->size(); ++k) {
        down[i] -= jacobian[i][k] * (*now)[k];
      }
    }
    for (int attempt = 0; attempt < 6; ++attempt, *damping *= 8) {
      Matrix m = normal;
      for (size_t i = 0; i < n; ++i) m[i * n + i] *= 1 + *damping;
      const Matrix l = Cholesky(m, n);
      if (l.empty()) continue;
      Vector moved = Solve(l, down);
      for (size_t i = 0; i < n; ++i) {
        moved[i] = c_.numbers_[i] + std::clamp(moved[i], -3.0, 3.0);
      }
      auto there = Residuals(moved);
      if (!there.ok() || !(Sum(*there) < Sum(*now))) continue;
      c_.numbers_ = std::move(moved);
      *now = std::move(*there);
      *damping = std::max(1e-6, *damping / 10);
      return true;
    }
    return false;
  }

  Result<double> Finish(const Vector& now) {
    auto jacobian = Jacobian(now);
    if (!jacobian.ok()) return jacobian.status();
    const size_t each = 1 + runs_[0].in_call.size();
    for (size_t i = 0; i < runs_.size(); ++i) {
      c_.residuals_.push_back(-now[i * each] * kWhole);
    }
    // What is known beforehand stays.
    const double scale = Missed(*jacobian, now);
    for (Vector& column : *jacobian) {
      for (size_t k = 0; k < RowsOfRuns(); ++k) column[k] /= scale;
    }
    c_.root_covariance_ = Cholesky(Normal(*jacobian), jacobian->size());
    return Sum(now);
  }

  // How far off the runs are met, in the errors expected of walks: whole, and
  // with their events, where each number that the runs and not the prior decide
  // has met one of those.
  double Missed(const std::vector<Vector>& jacobian, const Vector& now) const {
    const size_t each = 1 + runs_[0].in_call.size();
    const size_t numbers = c_.numbers_.size(), rows = RowsOfRuns();
    double whole = 0, all = 0;
    for (size_t k = 0; k < rows; ++k) {
      if (k % each == 0) whole += now[k] * now[k];
      all += now[k] * now[k];
    }
    double decided = 0;
    const Vector left =
        InverseDiagonal(Cholesky(Normal(jacobian), numbers), numbers);
    for (size_t i = 0; i < left.size(); ++i) {
      const double deviation = PriorOf(i).deviation;
      decided += 1 - left[i] / (deviation * deviation);
    }
    const double free = std::max(1.0, double(rows) - decided);
    return std::max({kBestMet, std::sqrt(whole / double(runs_.size())),
                     std::sqrt(all / free)});
  }

  const std::vector<Measured>& runs_;
  Calibration c_;
  // By form: all of the runs are walked as messages.
  std::array<bool, size_t(CollectiveForm::kForms)> in_messages_;
};

namespace {

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
  c.given_ = online_model::NetworkOf(named);
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
      NetworkOf(numbers, forms_, protocol_, reference_, known_).In(there);
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
  if (!root_covariance_.empty()) {
    const std::vector<double> x = Solve(root_covariance_, slope);
    double variance = 0;
    for (size_t i = 0; i < n; ++i) variance += slope[i] * x[i];
    p.deviation = std::sqrt(std::max(0.0, variance));
  }
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
  const double mean = sum / weights;
  p->seconds *= std::exp(mean);
  p->deviation = std::hypot(
      p->deviation, std::sqrt(std::max(0.0, squares / weights - mean * mean)));
  return Status::Ok();
}

}  // namespace ranksight::online_model
