#include "online_model/api/joined.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "online_model/api/extrapolate.h"
#include "online_model/join/costs.h"
#include "online_model/walk/calibrate.h"

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Status;
using reduction::Trace;

// Standard deviations to the end of a 90 % interval. That of a normal
// distribution is 1.645; the deviation itself is estimated from few sizes.
constexpr double kReach = 2;
// Error of a walk added for each doubling beyond the measured range.
constexpr double kLeastBend = 0.006;
constexpr size_t kLeastSizes = 3;

// The time at one rank count by walking its trace.
struct Along {
  double seconds = 0, deviation = 0;  // relative, of log
  double compute = 0, call = 0;       // share
};

class Joiner {
 public:
  explicit Joiner(std::span<const Trace> inputs) : inputs_(inputs) {
    for (const Trace& t : inputs) {
      first_.try_emplace(t.meta.ranks, &t);
      costs_.Add(t);
    }
  }

  // Fits the network, and holds out the largest size to see how far off a
  // forecast of it would have been.
  Status Prepare() {
    if (first_.size() < kLeastSizes)
      return Status::No("fewer than three sizes");
    for (const auto& [ranks, trace] : first_) {
      auto program = CompileTrace(*trace);
      if (!program.ok()) return program.status();
      costs_.AddProgram(ranks, *program);
      runs_.emplace_back().program = std::move(*program);
    }
    costs_.Separate();
    for (Measured& run : runs_) {
      const int64_t ranks = run.program.ranks;
      const SizeCosts& size = costs_.sizes().at(ranks);
      run.costs = costs_.At(ranks);
      run.in_call = costs_.InCall(ranks);
      run.seconds = size.seconds / size.runs;
    }
    Result<Calibration> fitted = Calibration::Fit(runs_);
    if (!fitted.ok()) return fitted.status();
    calibration_ = std::move(*fitted);
    return HoldOut();
  }

  Result<Along> At(int64_t ranks) {
    const auto known = first_.find(ranks);
    if (known != first_.end()) {
      return AtTrace(*known->second, *calibration_, INT64_MAX);
    }
    ExtrapolationRequest request;
    request.ranks = ranks;
    Result<Extrapolation> made = Extrapolate(inputs_, request);
    // With a size to spare, laws that hold at all of them will do.
    request.hold_out = false;
    if (!made.ok() && first_.size() > kLeastSizes) {
      made = Extrapolate(inputs_, request);
    }
    // The smallest runs may lack what larger ones have (an interior).
    for (auto it = first_.begin();
         !made.ok() &&
         size_t(std::distance(it, first_.end())) > kLeastSizes + 1;) {
      ++it;
      std::vector<Trace> larger;
      for (auto at = it; at != first_.end(); ++at) {
        larger.push_back(*at->second);
      }
      made = Extrapolate(larger, request);
    }
    if (!made.ok()) return made.status();
    Result<Along> a = AtTrace(made->trace, *calibration_, INT64_MAX);
    if (!a.ok()) return a;
    const double largest = double(first_.rbegin()->first);
    const double doublings = std::max(0.0, std::log2(double(ranks) / largest));
    const double drift =
        doublings * std::max(kLeastBend, held_out_error_ / held_out_doublings_);
    a->deviation = std::hypot(a->deviation, drift);
    return a;
  }

 private:
  Result<Program> CompileTrace(const Trace& trace) {
    return Compile(
        trace, uint32_t(costs_.events()),
        [&](const reduction::Node& node) {
          return costs_.NumberOf(trace, node);
        },
        costs_.contexts());
  }

  Result<Along> AtTrace(const Trace& trace, const Calibration& calibration,
                        int64_t below) {
    auto program = CompileTrace(trace);
    if (!program.ok()) return program.status();
    return Predict(*program, calibration, below);
  }

  Result<Along> Predict(const Program& program, const Calibration& calibration,
                        int64_t below) {
    std::vector<double> half_width;
    costs_.Separate();
    const Costs costs = costs_.Extrapolate(program, below, &half_width);
    auto predicted = calibration.Predict(program, costs);
    if (!predicted.ok()) return predicted.status();
    Along a;
    const double n = double(program.ranks);
    double in_call = 0, unsure = 0;
    for (size_t e = 0; e < costs.events.size(); ++e) {
      a.compute += predicted->walked.compute[e];
      in_call += predicted->walked.in_call[e];
    }
    for (size_t c = 0; c < program.occurrences.size(); ++c) {
      unsure += program.occurrences[c] * costs.compute[c] * half_width[c];
    }
    const double all = a.compute + in_call;
    if (all > 0) {
      a.compute /= all;
      a.call = in_call / all;
    }
    const auto& r = calibration.residuals();
    double mean = 0, squares = 0;
    for (const double x : r) mean += x / double(r.size());
    for (const double x : r) squares += (x - mean) * (x - mean);
    // Later sizes are nearer.
    const double correction = (mean + r.back()) / 2;
    a.seconds = predicted->seconds * std::exp(correction);
    const double scatter = std::sqrt(squares / double(r.size() - 1));
    const double computed = unsure / 1.645 / (n * predicted->seconds);
    a.deviation =
        std::hypot(std::hypot(predicted->deviation, scatter), computed);
    return a;
  }

  Status HoldOut() {
    const std::vector<Measured> fewer(runs_.begin(), runs_.end() - 1);
    const Result<Calibration> fitted = Calibration::Fit(fewer);
    if (!fitted.ok()) return fitted.status();
    const auto a =
        Predict(runs_.back().program, *fitted, runs_.back().program.ranks);
    if (!a.ok()) return a.status();
    held_out_error_ = std::abs(std::log(a->seconds / runs_.back().seconds));
    held_out_doublings_ =
        std::log2(double(runs_.back().program.ranks) /
                  double(runs_[runs_.size() - 2].program.ranks));
    return Status::Ok();
  }

  std::span<const Trace> inputs_;
  std::map<int64_t, const Trace*> first_;  // of each size
  CostTable costs_;
  std::vector<Measured> runs_;
  std::optional<Calibration> calibration_;
  double held_out_error_ = 0, held_out_doublings_ = 1;
};

constexpr char kWalked[] = "walked along the extrapolated trace";

// The joined forecast in a point, and what follows from it.
void Set(const Along& a, const Forecast& f, ForecastPoint* p) {
  p->seconds = a.seconds;
  p->low = a.seconds * std::exp(-kReach * a.deviation);
  p->high = a.seconds * std::exp(kReach * a.deviation);
  p->compute_share = a.compute;
  p->call_share = a.call;
  p->basis = kWalked;
  p->refused = !(p->high - p->low <= a.seconds);
  p->reason.clear();
  if (p->refused) {
    p->reason = fmt::format(
        "the 90 % interval, {:.3g} to {:.3g} s, is wider than the forecast",
        p->low, p->high);
  }
  const MeasuredSize& smallest = f.sizes.front();
  p->efficiency = smallest.seconds * double(smallest.ranks) /
                  (p->seconds * double(p->ranks));
}

}  // namespace

Forecast JoinedForecast(const Forecaster& forecaster,
                        std::span<const Trace> inputs,
                        std::span<const int64_t> ranks) {
  Forecast f = forecaster.At(ranks);
  Joiner joiner(inputs);
  const Status prepared = joiner.Prepare();
  for (ForecastPoint& p : f.points) {
    if (!prepared.ok()) {
      p.basis = "laws added up: " + prepared.message();
      continue;
    }
    const Result<Along> a = joiner.At(p.ranks);
    if (!a.ok()) {
      p.basis = "laws added up: " + a.status().message();
      continue;
    }
    Set(*a, f, &p);
  }
  return f;
}

}  // namespace ranksight::online_model
