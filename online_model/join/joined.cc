#include "online_model/api/joined.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

#include "online_model/api/extrapolate.h"
#include "online_model/forecast/next_run.h"
#include "online_model/forecast/point.h"
#include "online_model/join/joiner.h"

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Status;
using reduction::Trace;

// The joined forecast in a point, and what follows from it.
void Set(const WalkedPoint& a, double smallest_work, const std::string& basis,
         ForecastPoint* p) {
  p->seconds = a.seconds;
  p->low = a.seconds * std::exp(-kReach * a.deviation);
  p->high = a.seconds * std::exp(kReach * a.deviation);
  p->compute_share = a.compute;
  p->call_share = a.call;
  p->basis = basis;
  p->estimated = a.estimated;
  p->efficiencies = a.efficiencies;
  p->walked = true;
  p->refused = !(p->high - p->low <= a.seconds);
  p->reason.clear();
  if (p->refused) p->reason = kTooWide;
  p->efficiency = smallest_work / (p->seconds * double(p->ranks));
}

Status CheckReach(const WalkedPoint& a) {
  if (std::isfinite(a.seconds * std::exp(kReach * a.deviation))) return {};
  return Status::No("how far off a walk may be is not known");
}

// What a forecast says of the trace, in the trace.
void State(const ForecastPoint& p, const WalkOptions& options, Trace* made) {
  constexpr double kNsPerSecond = 1e9;
  reduction::Meta& meta = made->meta;
  meta.elapsed = {};
  meta.forecast.emplace();
  meta.forecast->refused = p.refused ? p.reason : "";
  meta.forecast->basis = p.basis;
  if (options.network) {
    meta.own_time = false;
    meta.forecast->network = options.network->name;
  }
  if (!p.HasFigure()) return;
  const double ns = p.seconds * kNsPerSecond, ranks = double(meta.ranks);
  meta.elapsed = {uint64_t(meta.ranks), ns * ranks, ns * ns * ranks, ns, ns};
  meta.forecast->low_ns = std::max(0.0, p.low) * kNsPerSecond;
  meta.forecast->high_ns = std::max(0.0, p.high) * kNsPerSecond;
}

Status WalkPoint(Joiner* joiner, double smallest_work, const Stop& stop,
                 ForecastPoint* point, Effort effort = Effort::kAny) {
  const Result<WalkedPoint> a = joiner->At(point->ranks, stop, effort);
  if (!a.ok()) return a.status();
  if (const Status s = CheckReach(*a); !s.ok()) return s;
  ForecastPoint walked = *point;
  Set(*a, smallest_work, joiner->Basis(*a), &walked);
  if (walked.estimated && walked.refused) return TwinTooWide();
  *point = std::move(walked);
  return Status::Ok();
}

// Ends walks once the time is over.
Stop StopAfter(double seconds) {
  if (seconds <= 0) return {};
  using Clock = std::chrono::steady_clock;
  return [seconds, begin = Clock::now()] {
    const std::chrono::duration<double> taken = Clock::now() - begin;
    if (taken.count() < seconds) return Status::Ok();
    return Status::No(
        fmt::format("the time limit of {:.4g} s is over", seconds));
  };
}

// Of a point that is refused for being too far: what a walk says, where it is
// soon done, as the figure that is not to be relied on.
void WalkFarPoint(Joiner* joiner, double smallest_work, const Stop& stop,
                  ForecastPoint* point) {
  ForecastPoint walked = *point;
  if (!WalkPoint(joiner, smallest_work, stop, &walked, Effort::kLittle).ok()) {
    return;
  }
  walked.refused = true;
  walked.reason = std::exchange(point->reason, "");
  *point = std::move(walked);
}

// Where no structure was found nothing says whether what grows with the rank
// count goes on to: laws then reach no farther, by factors, than the runs.
void SayAddedUp(const Status& why, const Forecast& laws, ForecastPoint* point) {
  if (laws.sizes.size() < StructureLaws::kLeastSizes)
    return;  // there are no laws either
  point->basis = "laws added up: " + why.message();
  if (point->refused || laws.sizes.empty()) return;
  const int64_t least = laws.sizes.front().ranks;
  const int64_t most = laws.sizes.back().ranks;
  const double reach = double(most) / double(least) * double(most);
  if (double(point->ranks) <= reach) return;
  point->refused = true;
  point->reason = fmt::format(
      "laws of {} to {} ranks are added up to {:.0f} at most, for there is no "
      "structure to walk",
      least, most, reach);
}

// What laws add up to is of the machine of the runs. On another, what computes
// takes as long as computation there, and what is in calls as any of its
// messages.
void RefuseElsewhere(const Status& why, const MachineRatios& machine,
                     ForecastPoint* point) {
  double least = machine.compute, most = machine.compute;
  for (const AtBytes& m : machine.messages) {
    least = std::min(least, m.value);
    most = std::max(most, m.value);
  }
  const double all = point->compute_share + point->call_share;
  const double compute = all > 0 ? point->compute_share / all : 0;
  const auto ratio = [&](double messages) {
    return compute * machine.compute + (1 - compute) * messages;
  };
  point->seconds *= ratio(std::sqrt(least * most));
  point->low *= ratio(least);
  point->high *= ratio(most);
  point->refused = true;
  point->reason =
      "another machine's time needs a walk of the trace: " + why.message();
}

// Nor is what laws add up to that of a program that was changed.
void RefuseIf(std::string why, ForecastPoint* point) {
  ForecastPoint refused;
  refused.ranks = point->ranks;
  refused.refused = true;
  refused.reason = std::move(why);
  *point = std::move(refused);
}

// Rank seconds of the smallest size, measured.
double WorkOf(const Forecast& f) {
  if (f.sizes.empty()) return 0;
  return f.sizes.front().seconds * double(f.sizes.front().ranks);
}

// How much is walked, in ranks, as a walk takes about as long as it has ranks.
// What is too far is walked where that is soon done, and counts nothing.
class WalkedShare {
 public:
  WalkedShare(const Forecast& laws, size_t times,
              const std::function<void(double)>& tell)
      : tell_(tell), measured_(laws.measured) {
    for (const ForecastPoint& p : laws.points) {
      all_ += WeightOf(p.ranks) * double(times);
    }
  }
  double WeightOf(int64_t ranks) const {
    return IsTooFar(ranks, measured_) ? 0 : double(ranks);
  }
  void Add(int64_t ranks) {
    done_ += WeightOf(ranks);
    Tell(0);
  }
  // Such a share of a rank count's walks is done.
  void Tell(double ranks) const {
    const double done = done_ + ranks;
    if (tell_ && done > 0) tell_(std::min(1.0, done / all_));
  }
  bool IsHeard() const { return bool(tell_); }

 private:
  const std::function<void(double)>& tell_;
  const std::vector<int64_t> measured_;
  double all_ = 0, done_ = 0;
};

void WalkAny(Joiner* joiner, double work, const Stop& stop, Forecast* f,
             ForecastPoint* point) {
  ForecastPoint& p = *point;
  if (IsTooFar(p.ranks, f->measured)) {
    WalkFarPoint(joiner, work, stop, &p);
    if (!p.walked && !f->what_if.empty()) RefuseIf(p.reason, &p);
    return;
  }
  const Status walked = WalkPoint(joiner, work, stop, &p);
  if (walked.ok()) return;
  if (!f->what_if.empty()) {
    RefuseIf("what would be needs a walk of the trace: " + walked.message(),
             &p);
  } else if (f->machine) {
    RefuseElsewhere(walked, *f->machine, &p);
  } else {
    SayAddedUp(walked, *f, &p);
  }
}

// The points of a forecast by laws, walked.
void WalkPoints(Joiner* joiner, const Stop& stop, WalkedShare* share,
                Forecast* f) {
  // Elsewhere the smallest run takes another time than was measured.
  const bool elsewhere = f->machine || !f->what_if.empty();
  const double work_there = elsewhere ? joiner->SmallestWork() : 0;
  const double work = work_there > 0 ? work_there : WorkOf(*f);
  for (ForecastPoint& p : f->points) {
    if (share->IsHeard()) {
      joiner->TellTo([share, all = share->WeightOf(p.ranks)](double of_point) {
        share->Tell(of_point * all);
      });
    }
    WalkAny(joiner, work, stop, f, &p);
    share->Add(p.ranks);
  }
  SetMeasured(joiner->MeasuredEfficiencies(), f);
  StateGain(f);
}

}  // namespace

Forecast JoinedForecast(const Forecaster& forecaster,
                        std::span<const Trace> inputs,
                        std::span<const int64_t> ranks,
                        const WalkOptions& options) {
  const WhatIf as_is;
  auto made = ForecastsIf(forecaster, inputs, ranks, options, {&as_is, 1});
  return std::move(made->front());  // there is nothing to refuse
}

Result<std::vector<Forecast>> ForecastsIf(const Forecaster& forecaster,
                                          std::span<const Trace> inputs,
                                          std::span<const int64_t> ranks,
                                          const WalkOptions& options,
                                          std::span<const WhatIf> what_ifs) {
  const Forecast laws = forecaster.At(ranks);
  Joiner joiner(inputs, laws.drift, options);
  const Stop stop = StopAfter(options.limit_seconds);
  WalkedShare share(laws, what_ifs.size(), options.tell_share);
  std::vector<Forecast> made;
  for (const WhatIf& what_if : what_ifs) {
    if (const Status s = joiner.Suppose(what_if); !s.ok()) return s;
    Forecast& f = made.emplace_back(laws);
    f.machine = options.machine;
    if (options.network) f.network = options.network->name;
    f.what_if = ToText(what_if);
    WalkPoints(&joiner, stop, &share, &f);
  }
  return made;
}

void SetForecastTimes(const Forecaster& forecaster,
                      std::span<const Trace> inputs, const WalkOptions& options,
                      Trace* made) {
  const int64_t ranks[] = {made->meta.ranks};
  Forecast f = forecaster.At(ranks);
  Joiner joiner(inputs, f.drift, options);
  joiner.TellTo(options.tell_share);
  if (IsSymbolic(*made)) {
    (void)joiner.Prepare();  // else laws alone give the times
    // Laws that this build has found are read again.
    (void)joiner.SetTimesOfLaws(forecaster, made);
    return;
  }
  ForecastPoint& p = f.points.front();
  const bool near = !IsTooFar(p.ranks, f.measured);
  const std::string too_far = near ? "" : p.reason;
  const Result<WalkedPoint> a =
      joiner.StampWalked(made, {}, near ? Effort::kAny : Effort::kLittle);
  const Status walked = a.ok() ? CheckReach(*a) : a.status();
  if (walked.ok()) Set(*a, WorkOf(f), joiner.Basis(*a), &p);
  if (!near) {
    p.refused = true;
    p.reason = too_far;
  }
  if (!walked.ok()) {
    // What the runs' walks know of each event counts where they can be had.
    (void)joiner.Prepare();
    joiner.StampByLaws(forecaster, made);
  }
  if (!walked.ok() && near) {
    options.machine ? RefuseElsewhere(walked, *options.machine, &p)
                    : SayAddedUp(walked, f, &p);
  }
  State(p, options, made);
}

struct JoinedForecaster::Impl {
  Impl(std::vector<Trace> runs, const std::optional<Drift>& drift,
       const WalkOptions& options)
      : traces(std::move(runs)), joiner(traces, drift, options) {}
  const std::vector<Trace> traces;
  Joiner joiner;
};

JoinedForecaster::JoinedForecaster(std::vector<Trace> inputs,
                                   const std::optional<Drift>& drift,
                                   const WalkOptions& options)
    : impl_(std::make_unique<Impl>(std::move(inputs), drift, options)) {}
JoinedForecaster::~JoinedForecaster() = default;

void JoinedForecaster::Walk(const Forecast& laws, const Stop& stop,
                            ForecastPoint* point) {
  const Status walked = WalkPoint(&impl_->joiner, WorkOf(laws), stop, point);
  if (!walked.ok()) SayAddedUp(walked, laws, point);
}

std::map<int64_t, Efficiencies> JoinedForecaster::Measured() {
  return impl_->joiner.MeasuredEfficiencies();
}

void SetMeasured(const std::map<int64_t, Efficiencies>& measured, Forecast* f) {
  for (MeasuredSize& size : f->sizes) {
    const auto known = measured.find(size.ranks);
    if (known != measured.end()) size.efficiencies = known->second;
  }
}

void StateGain(Forecast* f) {
  const auto width = [](const ForecastPoint& p) {
    if (p.seconds <= 0 || (p.refused && !p.walked)) return 0.0;
    return (p.high - p.low) / (2 * p.seconds);
  };
  const auto widest = std::max_element(
      f->points.begin(), f->points.end(),
      [&](const auto& a, const auto& b) { return width(a) < width(b); });
  if (widest == f->points.end() || !widest->walked || f->measured.empty())
    return;
  const double target = double(widest->ranks);
  const double largest = double(f->measured.back());
  if (double(f->next_run) <= largest || double(f->next_run) >= target) {
    // What the laws' interval would become is nothing of the walk's.
    f->next_run_reason = TestingText(target);
    return;
  }
  const double left =
      std::log2(target / double(f->next_run)) / std::log2(target / largest);
  f->next_run_reason =
      NarrowingText(target, width(*widest), left * width(*widest));
}

void MoveByRunsUnderWay(const std::vector<RunUnderWay>& runs,
                        const std::function<double(int64_t)>& walked_seconds,
                        ForecastPoint* point) {
  double shares = 0, moved = 0;
  for (const RunUnderWay& run : runs) {
    const double walked = run.used ? walked_seconds(run.ranks) : 0;
    if (walked <= 0 || run.seconds <= 0) continue;
    shares += run.share_seen;
    moved += run.share_seen * std::log(run.seconds / walked);
  }
  if (shares <= 0 || point->refused || point->seconds <= 0) return;
  moved /= std::max(1.0, shares);
  const double factor = std::exp(moved);
  // What the runs under way say otherwise is in doubt until they end.
  const double low = std::hypot(std::log(point->seconds / point->low), moved);
  const double high = std::hypot(std::log(point->high / point->seconds), moved);
  point->seconds *= factor;
  point->low = point->seconds * std::exp(-low);
  point->high = point->seconds * std::exp(high);
  point->efficiency /= factor;
  point->basis += ", moved by runs under way (provisional)";
}

}  // namespace ranksight::online_model
