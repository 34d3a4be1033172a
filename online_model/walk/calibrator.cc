#include "online_model/walk/calibrator.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "online_model/walk/rounds.h"
#include "reduction/api/contract.h"
#include "reduction/api/in_parallel.h"

namespace ranksight::online_model {

using reduction::Result;
using reduction::Status;

namespace {

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
constexpr int kSteps = 12;
// By how much the second start has less of the one latency and more of the
// other; any that puts most of it there does.
constexpr double kFar = 1.5;
// What is left then of a latency.
constexpr double kNotByDistance = 0.2;
// Of finite differences; on links the order of messages changes with the
// numbers, so that the time makes small jumps, and steps must be larger.
constexpr double kStep = 1e-3, kLinkedStep = 0.03;
// Where all messages of the runs are short, their byte is the one that is
// known.
constexpr NumberPrior kAllShort = {0, 0.5};
constexpr NumberPrior kFormPrior = {0, 1};
// How far what was measured between two ranks may be from what it is in the
// runs where links are known, each number of it: latency, bytes, what these
// take of a link, and the messages of collectives. Twice as much lets the fit
// take messages that meet for a longer latency.
constexpr double kAsMeasured = 0.05;
// Of the stages of collectives that are walked as messages.
constexpr NumberPrior kMessagesPrior = {0, 0.3};

}  // namespace

Calibrator::Calibrator(const std::vector<Measured>& runs,
                       const Protocol& protocol, const KnownNetwork& known)
    : runs_(runs) {
  c_.known_ = known;
  c_.protocol_ = protocol;
  in_messages_.fill(true);
  std::array<bool, size_t(CollectiveForm::kForms)> seen{};
  for (const Measured& run : runs) {
    mean_routes_.push_back(c_.MeanRouteThere({}, run.program.ranks));
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
  // A collective that no run makes has no numbers to be fitted.
  for (size_t f = 0; f < seen.size(); ++f) {
    if (seen[f]) c_.forms_.push_back(CollectiveForm(f));
  }
  const size_t n = kFirstForm + 2 * c_.forms_.size();
  for (size_t i = 0; i < n; ++i) c_.numbers_.push_back(PriorOf(i).mean);
}

Result<double> Calibrator::Run() {
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

NumberPrior Calibrator::PriorOf(size_t number) const {
  const bool measured = c_.WayIsKnown();
  if (number == kByte && measured) {
    return {std::log(c_.known_.curve->byte()), kAsMeasured};
  }
  if (number == kLinkByte && measured) return {0, kAsMeasured};
  if (number == kShortByte && !c_.Matters(number)) return kAllShort;
  if (number < kFirstForm) return CommonPrior(number);
  const bool is_stage = (number - kFirstForm) % 2 == 0;
  const CollectiveForm form = c_.forms_[(number - kFirstForm) / 2];
  if (!in_messages_[size_t(form)]) return kFormPrior;
  if (measured) return {0, kAsMeasured};
  return is_stage ? kMessagesPrior : kFormPrior;
}

bool Calibrator::IsWalkedAsMessages(const Operation& op) const {
  if (c_.known_.links == nullptr) return false;
  return op.by_members || InRounds(c_.known_.links.get(), op.form, 2);
}

Calibrator::Vector Calibrator::ByDistance(Vector numbers) const {
  const MeanRoute mean = MeanRouteOf(*c_.known_.links, int64_t(c_.reference_));
  const double of_hops = mean.hops * std::exp(numbers[kHop]);
  const double all = std::exp(numbers[kLatency]) + of_hops;
  if (mean.hops <= 0 || of_hops > (1 - kNotByDistance) * all) return numbers;
  numbers[kLatency] = std::log(kNotByDistance * all);
  numbers[kHop] = std::log((1 - kNotByDistance) * all / mean.hops);
  return numbers;
}

Result<Calibrator::Vector> Calibrator::Descend(const Vector& start) {
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

double Calibrator::Sum(const Vector& v) {
  double sum = 0;
  for (const double x : v) sum += x * x;
  return sum;
}

size_t Calibrator::RowsOfRuns() const {
  RANKSIGHT_REQUIRE(!runs_.empty());
  return runs_.size() * (1 + runs_[0].in_call.size());
}

Result<Calibrator::Vector> Calibrator::Residuals(const Vector& numbers) const {
  Vector out;
  Network network =
      NetworkFrom(numbers, c_.forms_, c_.protocol_, c_.reference_, c_.known_);
  for (size_t r = 0; r < runs_.size(); ++r) {
    const Measured& run = runs_[r];
    network.mean_route = mean_routes_[r];
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
    // Priors are measurements like others: a number that no run tells stays
    // where it is.
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

Result<std::vector<Calibrator::Vector>> Calibrator::Jacobian(
    const Vector& at) const {
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

Result<Calibrator::Vector> Calibrator::Column(const Vector& at,
                                              size_t number) const {
  RANKSIGHT_REQUIRE(number < at.size());
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

Matrix Calibrator::Normal(const std::vector<Vector>& jacobian) {
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

bool Calibrator::Improve(const std::vector<Vector>& jacobian, Vector* now,
                         double* damping) {
  const size_t n = jacobian.size();
  const Matrix normal = Normal(jacobian);
  Vector down(n);
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < now->size(); ++k) {
      down[i] -= jacobian[i][k] * (*now)[k];
    }
  }
  // Levenberg and Marquardt: from Newton's step towards the gradient's, until
  // one is better.
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

Result<double> Calibrator::Finish(const Vector& now) {
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

double Calibrator::Missed(const std::vector<Vector>& jacobian,
                          const Vector& now) const {
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
    // How much of each number the runs decide, not its prior: so many degrees
    // of freedom are gone.
    decided += 1 - left[i] / (deviation * deviation);
  }
  const double free = std::max(1.0, double(rows) - decided);
  return std::max({kBestMet, std::sqrt(whole / double(runs_.size())),
                   std::sqrt(all / free)});
}

}  // namespace ranksight::online_model
