#include "online_model/api/joined.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "online_model/api/extrapolate.h"
#include "online_model/forecast/next_run.h"
#include "online_model/forecast/point.h"
#include "online_model/join/costs.h"
#include "online_model/join/stamp.h"
#include "online_model/join/structure_laws.h"
#include "online_model/synthesize/symbolic.h"
#include "online_model/walk/calibrate.h"

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Status;
using reduction::Trace;

// Standard deviations to the end of a 90 % interval. That of a normal
// distribution is 1.645; the deviation itself is estimated from few sizes.
// Chosen where nine of ten hold (tests/bench/simulated/calibration.sh); at 1.5
// it is eight.
constexpr double kReach = 1.8;
// Error of a walk added for each doubling beyond the measured range.
constexpr double kLeastBend = 0.006;
// On links, which the small runs fill less, on routes that the machine may
// choose otherwise, more for the share of time in calls; the most where
// messages were not measured there, and are taken one after the other.
constexpr double kSharedBend = 0.015, kQueuedBend = 0.03;
// Of runs whose ranks shared cores: what computation takes with a core for each
// rank, whose caches nobody else uses and whose clock may be another, against
// the processor time that it took (tests/bench/own_cores).
constexpr double kOwnCoreDeviation = 0.05;

// The time at one rank count by walking its trace.
struct Along {
  double seconds = 0, deviation = 0;  // relative, of log
  double compute = 0, call = 0;       // share
  bool estimated = false;             // whether amounts follow no exact law
};

class Joiner {
 public:
  Joiner(std::span<const Trace> inputs, const std::optional<Drift>& drift,
         WalkOptions options)
      : options_(std::move(options)),
        structure_(inputs, first_, options_.own_laws) {
    for (const Trace& t : inputs) {
      first_.try_emplace(t.meta.ranks, &t);
      costs_.Add(t, DriftScale(drift, t.meta.start_unix_ns));
    }
  }

  // Fits the network, and holds out the largest size to see how far off a
  // forecast of it would have been.
  Status Prepare() {
    if (first_.size() < StructureLaws::kLeastSizes)
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
    Result<Calibration> fitted = FitNetwork(runs_);
    if (!fitted.ok()) return fitted.status();
    calibration_ = std::move(*fitted);
    const Status met = CheckMet();
    return met.ok() ? HoldOut() : met;
  }

  // A walk that does not even meet the runs that it was fitted to foretells
  // nothing.
  Status CheckMet() const {
    constexpr double kMostMissed = 0.2;
    const std::vector<double>& residuals = calibration_->residuals();
    for (size_t i = 0; i < residuals.size(); ++i) {
      const double missed = std::exp(-residuals[i]) - 1;
      if (std::abs(missed) <= kMostMissed) continue;
      return Status::No(fmt::format(
          "a walk of the run on {} ranks takes {:.3g} s, and the run took "
          "{:.3g} s",
          runs_[i].program.ranks, runs_[i].seconds * (1 + missed),
          runs_[i].seconds));
    }
    return Status::Ok();
  }

  // Rank seconds of the smallest size, walked. REQUIRES: Prepare() was ok.
  double SmallestWork() {
    const auto smallest = At(first_.begin()->first);
    return smallest.ok() ? smallest->seconds * double(first_.begin()->first)
                         : 0;
  }

  // What a walked point is based on.
  std::string Basis() const {
    std::string basis = "walked along the extrapolated trace";
    if (linked()) basis += " and the machine's links";
    if (options_.measured) basis += ", messages as measured";
    return basis;
  }

  Result<Along> At(int64_t ranks, const Stop& stop = {}) {
    const auto known = first_.find(ranks);
    if (known != first_.end()) {
      return AtTrace(*known->second, stop);
    }
    bool estimated = false;
    const Result<Extrapolation> made = structure_.At(ranks, &estimated);
    if (!made.ok()) return made.status();
    Result<Along> a = AtTrace(made->trace, stop);
    if (!a.ok()) return a;
    a->estimated = estimated;
    AddDrift(ranks, &*a);
    return a;
  }

  // The same along a trace that somebody else made, whose events then take what
  // they take in the walk. REQUIRES: Prepare() was ok.
  Result<Along> StampWalked(Trace* made, const Stop& stop = {}) {
    WalkedTimes times;
    std::vector<EventMeans> means;
    Result<Along> a = AtTrace(*made, stop, &times, &means);
    if (!a.ok()) return a;
    a->estimated = !made->meta.estimates.empty();
    AddDrift(made->meta.ranks, &*a);
    Stamp(means, &times.costs, Numbers(), Largest(), made);
    return a;
  }

  // Events of a trace that cannot be walked take what their laws say.
  void StampByLaws(const Forecaster& laws, Trace* made) {
    std::optional<Costs> costs;
    const auto means = MeansByLaws(laws, *made, made->meta.ranks, &costs);
    Stamp(means, costs ? &*costs : nullptr, Numbers(), Largest(), made);
  }

  // Times at any rank count for a trace that carries laws.
  Status SetTimesOfLaws(const Forecaster& laws, Trace* symbolic) {
    std::vector<int64_t> measured;
    for (const auto& [ranks, trace] : first_) measured.push_back(ranks);
    const int64_t most = measured.back() * kFurthestStep;
    auto steps =
        LadderSteps(*symbolic, options_.own_laws, std::move(measured), most);
    if (!steps.ok()) return steps.status();
    TimeLadder ladder;
    ladder.ranks = *steps;
    reduction::ForEachEvent(symbolic->root, [&](const reduction::Node&) {
      ladder.events.emplace_back();
    });
    const Forecast sums = laws.At(ladder.ranks);
    for (size_t i = 0; i < ladder.ranks.size(); ++i) {
      const double seconds = AddStep(laws, *symbolic, ladder.ranks[i], &ladder);
      const ForecastPoint& sum = sums.points[i];
      ladder.nanoseconds.push_back(
          1e9 * (seconds > 0 || sum.refused ? seconds : sum.seconds));
    }
    return SetLadder(std::move(ladder), options_.own_laws, symbolic);
  }

 private:
  // Beyond, nothing is forecast.
  static constexpr int64_t kFurthestStep = 64;

  const Trace& Largest() const { return *first_.rbegin()->second; }

  // What one walk takes, and events in it; 0 where there is none.
  double MeansByWalk(const Trace& trace, std::vector<EventMeans>* means) {
    const auto program = CompileTrace(trace);
    if (!program.ok()) return 0;
    double half_width = 0;
    costs_.Separate();
    const MachineRatios machine = options_.machine.value_or(MachineRatios());
    WalkedTimes times;
    times.costs =
        Slower(OnNetwork(costs_.Extrapolate(*program, INT64_MAX, &half_width)),
               machine.compute);
    auto walked = calibration_->WalkOnce(*program, times.costs, machine);
    if (!walked.ok()) return 0;
    times.walked = std::move(*walked);
    *means = MeansOf(*costs_.contexts(), *program, times);
    return times.walked.seconds;
  }

  // Means there, walked or by laws; what the walk takes, or 0.
  double AddStep(const Forecaster& laws, const Trace& symbolic, int64_t ranks,
                 TimeLadder* ladder) {
    // Of calls: a walk of some tenths of a second.
    constexpr uint64_t kMostWalked = 200'000;
    ExtrapolationRequest request;
    request.ranks = ranks;
    request.own_laws = options_.own_laws;
    std::vector<EventMeans> means;
    double seconds = 0;
    const auto made = FromLaws(symbolic, request);
    if (calibration_ && made.ok() && CountEvents(made->trace) <= kMostWalked) {
      seconds = MeansByWalk(made->trace, &means);
    }
    std::optional<Costs> costs;
    if (seconds <= 0) means = MeansByLaws(laws, symbolic, ranks, &costs);
    size_t event = 0;
    reduction::ForEachEvent(symbolic.root, [&](const reduction::Node& node) {
      ladder->events[event++].push_back(
          StepOf(means[costs_.NumberOf(symbolic, node)], symbolic, node));
    });
    return seconds;
  }

  TimeLadder::Means StepOf(const EventMeans& means, const Trace& symbolic,
                           const reduction::Node& node) {
    TimeLadder::Means step;
    const auto& later = means.behind[kLater];
    const auto all = means.Of(later.empty() ? kFirst : kLater);
    step.compute = all.Mean();
    step.call = means.call;
    const auto events = costs_.EventAtSite(symbolic);
    for (const auto& part : node.times.rest_after.apart()) {
      const auto event = events.find(part.after);
      const auto known =
          event == events.end() ? later.end() : later.find(event->second);
      step.after.push_back(known == later.end() ? step.compute
                                                : known->second.Mean());
    }
    return step;
  }

  // Computation by the laws that a walk takes, where there are any, of events
  // that occur as in the largest run, more often by as much as there are more
  // ranks or as `made` says; calls by their own. *costs: how it is spread.
  std::vector<EventMeans> MeansByLaws(const Forecaster& laws, const Trace& made,
                                      int64_t ranks,
                                      std::optional<Costs>* costs) {
    std::vector<EventMeans> means(costs_.events());
    if (calibration_) {
      WalkedTimes times;
      Program program = runs_.back().program;
      const double more = double(ranks) / double(program.ranks);
      for (auto& occurrences : program.occurrences) {
        for (double& n : occurrences) n *= more;
      }
      program.ranks = ranks;
      double half_width = 0;
      costs_.Separate();
      times.costs =
          OnNetwork(costs_.Extrapolate(program, INT64_MAX, &half_width));
      times.walked.in_call.resize(program.events);
      means = MeansOf(*costs_.contexts(), program, times);
      means.resize(costs_.events());
      *costs = std::move(times.costs);
    }
    const int64_t there[] = {ranks};
    reduction::ForEachEvent(made.root, [&](const reduction::Node& node) {
      EventMeans& event = means[costs_.NumberOf(made, node)];
      const auto law = laws.EventAt(made, node, there).front();
      event.call = law.call_ns;
      if (calibration_) return;
      const double n = double(node.times.call.Occurrences());
      event.behind[kLater][EventMeans::kNotKnown] = {n, n * law.compute_ns};
    });
    return means;
  }

  NumberOfEvent Numbers() {
    return [this](const Trace& trace, const reduction::Node& node) {
      return costs_.NumberOf(trace, node);
    };
  }

  // How far off a walk may be beyond the measured sizes.
  void AddDrift(int64_t ranks, Along* a) const {
    const double largest = double(first_.rbegin()->first);
    const double doublings = std::max(0.0, std::log2(double(ranks) / largest));
    const double drift =
        doublings *
        std::max(LeastBend(a->call), held_out_error_ / held_out_doublings_);
    a->deviation = std::hypot(a->deviation, drift);
  }

  bool linked() const { return options_.links != nullptr; }
  // Where the network was given: calls take what messages take on it. What the
  // mean of a call that has messages elsewhere says of one without is waiting.
  Costs OnNetwork(Costs costs) const {
    if (!options_.network) return costs;
    costs = WithoutJitter(std::move(costs));
    for (const Measured& run : runs_) {
      for (const Operation& op : run.program.operations) {
        if (op.kind != Operation::Kind::kLocal) {
          costs.events[op.event].local = 0;
        }
      }
    }
    return costs;
  }
  Result<Calibration> FitNetwork(const std::vector<Measured>& runs) const {
    if (options_.network) return Calibration::Of(*options_.network);
    return Calibration::Fit(runs, Known());
  }
  double LeastBend(double call_share) const {
    if (!linked()) return kLeastBend;
    return kLeastBend +
           call_share * (options_.measured ? kSharedBend : kQueuedBend);
  }

  Result<Program> CompileTrace(const Trace& trace) {
    if (options_.links != nullptr &&
        trace.meta.ranks > options_.links->ranks()) {
      return Status::No("the machine has no places for " +
                        std::to_string(trace.meta.ranks) + " ranks");
    }
    return Compile(
        trace, uint32_t(costs_.events()),
        [&](const reduction::Node& node) {
          return costs_.NumberOf(trace, node);
        },
        costs_.contexts());
  }

  // *means: where not nullptr, of each event there.
  Result<Along> AtTrace(const Trace& trace, const Stop& stop,
                        WalkedTimes* times = nullptr,
                        std::vector<EventMeans>* means = nullptr) {
    auto program = CompileTrace(trace);
    if (!program.ok()) return program.status();
    auto along =
        Predict(*program, *calibration_, INT64_MAX,
                options_.machine.value_or(MachineRatios()), stop, times);
    if (along.ok() && means != nullptr) {
      *means = MeansOf(*costs_.contexts(), *program, *times);
    }
    return along;
  }

  Result<Along> Predict(const Program& program, const Calibration& calibration,
                        int64_t below, const MachineRatios& machine,
                        const Stop& stop, WalkedTimes* times = nullptr) {
    double half_width = 0;
    costs_.Separate();
    Costs costs =
        Slower(OnNetwork(costs_.Extrapolate(program, below, &half_width)),
               machine.compute);
    auto predicted = calibration.Predict(program, costs, machine, stop);
    if (!predicted.ok()) return predicted.status();
    Along a;
    const double n = double(program.ranks);
    double in_call = 0;
    for (size_t e = 0; e < costs.events.size(); ++e) {
      a.compute += predicted->walked.compute[e];
      in_call += predicted->walked.in_call[e];
    }
    if (program.ranks < first_.begin()->first) {
      const Status places = CheckPlaces(program, costs, a.compute);
      if (!places.ok()) return places;
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
    const double correction = r.empty() ? 0 : (mean + r.back()) / 2;
    a.seconds = predicted->seconds * std::exp(correction);
    const double scatter = r.empty()
                               ? kOwnCoreDeviation
                               : std::sqrt(squares / double(r.size() - 1));
    const double computed =
        half_width * machine.compute / 1.645 / (n * predicted->seconds);
    a.deviation =
        std::hypot(std::hypot(predicted->deviation, scatter), computed);
    if (times != nullptr) {
      *times = {std::move(costs), std::move(predicted->walked)};
    }
    return a;
  }

  // Below the smallest run ranks may lack the calls before which they compute,
  // such as a message when they are alone, and these calls' times then lie
  // before others, where no run has them. What all calls add up to tells.
  Status CheckPlaces(const Program& program, const Costs& costs,
                     double walked) const {
    constexpr double kApart = 0.2;
    const double unseen = costs_.ShareUnseen(program, costs);
    if (unseen > kApart) {
      return Status::No(
          fmt::format("{:.0f} % of computation would stand before calls that "
                      "the runs make behind other ones",
                      100 * unseen));
    }
    const double all = costs_.ComputedByLaw(double(program.ranks));
    if (all <= 0 || std::abs(std::log(walked / all)) < kApart) return {};
    return Status::No(
        fmt::format("ranks would compute {:.3g} s in a walk, and {:.3g} s by "
                    "the law of all "
                    "computation",
                    walked, all));
  }

  KnownNetwork Known() const {
    KnownNetwork known;
    known.links = options_.links;
    if (!options_.measured) return known;
    const MachineTimes& times = *options_.measured;
    const auto curve = std::make_shared<MessageCurve>(times.messages);
    if (!curve->known()) return known;
    known.curve = curve;
    known.pulled = times.pulled;
    if (linked() && times.ranks > 1 && times.ranks <= options_.links->ranks()) {
      std::vector<uint32_t> route;
      options_.links->AddRoute(0, times.ranks - 1, &route);
      known.measured_hops = double(route.size());
    }
    return known;
  }

  Status HoldOut() {
    const std::vector<Measured> fewer(runs_.begin(), runs_.end() - 1);
    const Result<Calibration> fitted = FitNetwork(fewer);
    if (!fitted.ok()) return fitted.status();
    const auto a = Predict(runs_.back().program, *fitted,
                           runs_.back().program.ranks, {}, {});
    if (!a.ok()) return a.status();
    // Of the error, what the walk was in doubt of anyway is in its deviation.
    const double error = std::log(a->seconds / runs_.back().seconds);
    held_out_error_ =
        std::sqrt(std::max(0.0, error * error - a->deviation * a->deviation));
    // Of an error at a size close by, a part is of the walk and not of the way.
    held_out_doublings_ =
        std::max(1.0, std::log2(double(runs_.back().program.ranks) /
                                double(runs_[runs_.size() - 2].program.ranks)));
    return Status::Ok();
  }

  const WalkOptions options_;
  FirstOfSize first_;
  StructureLaws structure_;
  CostTable costs_;
  std::vector<Measured> runs_;
  std::optional<Calibration> calibration_;
  double held_out_error_ = 0, held_out_doublings_ = 1;
};

constexpr char kEstimated[] = ", some amounts estimated";

// The joined forecast in a point, and what follows from it.
void Set(const Along& a, double smallest_work, const std::string& basis,
         ForecastPoint* p) {
  p->seconds = a.seconds;
  p->low = a.seconds * std::exp(-kReach * a.deviation);
  p->high = a.seconds * std::exp(kReach * a.deviation);
  p->compute_share = a.compute;
  p->call_share = a.call;
  p->basis = basis;
  if (a.estimated) p->basis += kEstimated;
  p->walked = true;
  p->refused = !(p->high - p->low <= a.seconds);
  p->reason.clear();
  if (p->refused) {
    p->reason = fmt::format(
        "the 90 % interval, {:.3g} to {:.3g} s, is wider than the forecast",
        p->low, p->high);
  }
  p->efficiency = smallest_work / (p->seconds * double(p->ranks));
}

Status CheckReach(const Along& a) {
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

Status WalkPoint(Joiner* joiner, const Status& prepared, double smallest_work,
                 const Stop& stop, ForecastPoint* point) {
  if (!prepared.ok()) return prepared;
  const Result<Along> a = joiner->At(point->ranks, stop);
  if (!a.ok()) return a.status();
  if (const Status s = CheckReach(*a); !s.ok()) return s;
  Set(*a, smallest_work, joiner->Basis(), point);
  return Status::Ok();
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

// Rank seconds of the smallest size, measured.
double WorkOf(const Forecast& f) {
  if (f.sizes.empty()) return 0;
  return f.sizes.front().seconds * double(f.sizes.front().ranks);
}

}  // namespace

Forecast JoinedForecast(const Forecaster& forecaster,
                        std::span<const Trace> inputs,
                        std::span<const int64_t> ranks,
                        const WalkOptions& options) {
  Forecast f = forecaster.At(ranks);
  f.machine = options.machine;
  if (options.network) f.network = options.network->name;
  Joiner joiner(inputs, f.drift, options);
  const Status prepared = joiner.Prepare();
  const double work =
      options.machine && prepared.ok() ? joiner.SmallestWork() : WorkOf(f);
  for (ForecastPoint& p : f.points) {
    if (IsTooFar(p.ranks, f.measured)) continue;  // refused already
    const Status walked = WalkPoint(&joiner, prepared, work, {}, &p);
    if (!walked.ok()) {
      options.machine ? RefuseElsewhere(walked, *options.machine, &p)
                      : SayAddedUp(walked, f, &p);
    }
  }
  StateGain(&f);
  return f;
}

void SetForecastTimes(const Forecaster& forecaster,
                      std::span<const Trace> inputs, const WalkOptions& options,
                      Trace* made) {
  const int64_t ranks[] = {made->meta.ranks};
  Forecast f = forecaster.At(ranks);
  Joiner joiner(inputs, f.drift, options);
  Status walked = joiner.Prepare();
  if (IsSymbolic(*made)) {
    // Laws that this build has found are read again.
    (void)joiner.SetTimesOfLaws(forecaster, made);
    return;
  }
  ForecastPoint& p = f.points.front();
  const bool near = !IsTooFar(p.ranks, f.measured);
  if (walked.ok() && near) {
    const Result<Along> a = joiner.StampWalked(made);
    walked = a.ok() ? CheckReach(*a) : a.status();
    if (walked.ok()) Set(*a, WorkOf(f), joiner.Basis(), &p);
  }
  if (!walked.ok() || !near) joiner.StampByLaws(forecaster, made);
  if (!walked.ok() && near) {
    options.machine ? RefuseElsewhere(walked, *options.machine, &p)
                    : SayAddedUp(walked, f, &p);
  }
  State(p, options, made);
}

struct JoinedForecaster::Impl {
  Impl(std::vector<Trace> runs, const std::optional<Drift>& drift,
       const OwnLaws& own_laws, const std::optional<NamedNetwork>& network)
      : traces(std::move(runs)),
        joiner(traces, drift,
               {std::nullopt, own_laws, nullptr, std::nullopt, network}),
        prepared(joiner.Prepare()) {}
  const std::vector<Trace> traces;
  Joiner joiner;
  Status prepared;
};

JoinedForecaster::JoinedForecaster(std::vector<Trace> inputs,
                                   const std::optional<Drift>& drift,
                                   const OwnLaws& own_laws,
                                   const std::optional<NamedNetwork>& network)
    : impl_(std::make_unique<Impl>(std::move(inputs), drift, own_laws,
                                   network)) {}
JoinedForecaster::~JoinedForecaster() = default;

void JoinedForecaster::Walk(const Forecast& laws, const Stop& stop,
                            ForecastPoint* point) {
  const Status walked =
      WalkPoint(&impl_->joiner, impl_->prepared, WorkOf(laws), stop, point);
  if (!walked.ok()) SayAddedUp(walked, laws, point);
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
