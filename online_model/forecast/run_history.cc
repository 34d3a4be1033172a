#include "online_model/forecast/run_history.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "online_model/fit/series_fit.h"
#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

// Runs on either side of a shift, and degrees of freedom, below which nothing
// is said.
constexpr int kLeastRuns = 2, kLeastFreedom = 3;
// Shifts that are smaller (of log times) change no decision.
constexpr double kLeastShift = 0.02;
// Runs are not believed to spread less than this (relative).
constexpr double kLeastSpread = 0.005;

struct Side {
  double count = 0, sum = 0, squares = 0;
  void Add(double y, double times = 1) {
    count += times;
    sum += times * y;
    squares += times * y * y;
  }
  double Mean() const { return sum / count; }
  double Scatter() const {
    return count > 0 ? std::max(0.0, squares - sum * sum / count) : 0;
  }
};

// Student's t beyond which a shift is no chance: about its two-sided quantile
// at 0.0003, for the many moments that are tried.
double Beyond(double freedom) {
  RANKSIGHT_REQUIRE(freedom > 0);
  return 3.6 * (1 + 2.9 / freedom + 20 / (freedom * freedom));
}

struct Comparison {
  double shift = 0, error = 0, spread = 0, freedom = 0, t = 0;
  bool counts = false;
};

// Before and after a moment, by rank count.
using Sides = std::map<int64_t, std::pair<Side, Side>>;

Comparison Compare(const Sides& sides) {
  Comparison c;
  double weight = 0, scatter = 0, before_runs = 0, after_runs = 0;
  for (const auto& [ranks, both] : sides) {
    const auto& [before, after] = both;
    for (const Side* side : {&before, &after}) {
      scatter += side->Scatter();
      c.freedom += std::max(0.0, side->count - 1);
    }
    if (before.count == 0 || after.count == 0) continue;
    // The inverse variance of a difference of two means, but for the scatter
    // that all sizes share.
    const double w = before.count * after.count / (before.count + after.count);
    c.shift += w * (after.Mean() - before.Mean());
    weight += w;
    before_runs += before.count;
    after_runs += after.count;
  }
  if (c.freedom < kLeastFreedom || before_runs < kLeastRuns ||
      after_runs < kLeastRuns) {
    return c;
  }
  c.shift /= weight;
  c.spread = std::max(kLeastSpread, std::sqrt(scatter / c.freedom));
  c.error = c.spread / std::sqrt(weight);
  c.t = std::abs(c.shift) / c.error;
  c.counts = std::abs(c.shift) >= kLeastShift && c.t > Beyond(c.freedom);
  return c;
}

}  // namespace

void RunHistory::Add(TimedRun run) {
  if (!(run.seconds > 0)) return;
  const auto at = std::upper_bound(
      runs_.begin(), runs_.end(), run.start_unix_ns,
      [](int64_t t, const TimedRun& r) { return t < r.start_unix_ns; });
  runs_.insert(at, std::move(run));
  if (runs_.size() > kMostRuns) runs_.erase(runs_.begin());
}

std::optional<RunHistory::Shift> RunHistory::FindDrift() const {
  Comparison most;
  size_t first = 0;
  Sides sides;
  for (const TimedRun& run : runs_) {
    sides[run.ranks].second.Add(std::log(run.seconds));
  }
  for (size_t i = 1; i < runs_.size(); ++i) {
    auto& [before, after] = sides[runs_[i - 1].ranks];
    const double y = std::log(runs_[i - 1].seconds);
    before.Add(y);
    after.Add(y, -1);
    // A size that was not run before says nothing about when.
    if (sides[runs_[i].ranks].first.count == 0) continue;
    const Comparison c = Compare(sides);
    if (!c.counts || c.t <= most.t) continue;
    most = c;
    first = i;
  }
  if (!most.counts) return std::nullopt;
  const double reach = StudentT90(most.freedom) * most.error;
  Shift shift;
  shift.drift.job = runs_[first].job;
  shift.drift.since_unix_ns = runs_[first].start_unix_ns;
  shift.drift.factor = std::exp(most.shift);
  shift.drift.low = std::exp(most.shift - reach);
  shift.drift.high = std::exp(most.shift + reach);
  shift.spread = most.spread;
  return shift;
}

}  // namespace ranksight::online_model
