#include "online_model/join/joiner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "online_model/forecast/point.h"
#include "reduction/api/contract.h"

namespace ranksight::online_model {

using reduction::Result;
using reduction::Status;
using reduction::Trace;

namespace {

// Standard deviations to the end of a 90 % interval of a normal distribution.
constexpr double kNormalReach = 1.645;
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
// Twins that are walked: the first, which `extrapolate` makes, too, and others
// that show what chance does.
constexpr uint64_t kFirstSeed = 1, kLastSeed = 3;
// Of more events than this one is walked, some seconds.
constexpr uint64_t kMostDrawnAgain = 1'000'000;

// Rank seconds of all computation.
double ComputationOf(const Program& program, const Costs& costs) {
  double seconds = 0;
  for (const Occasion occasion : {kFirst, kLater}) {
    const std::vector<double>& often = program.occurrences[occasion];
    for (size_t c = 0; c < often.size(); ++c) {
      seconds += often[c] * costs.compute[occasion][c];
    }
  }
  return seconds;
}

// What is asked in several ways is searched once in any case.
WalkOptions WithSearches(WalkOptions options) {
  if (options.searches == nullptr) {
    options.searches = std::make_shared<LawSearches>();
  }
  return options;
}

ExtrapolationRequest HowSearched(const WalkOptions& options) {
  ExtrapolationRequest how;
  how.own_laws = options.own_laws;
  how.searches = options.searches;
  return how;
}

// Whether the interval is wider than the time.
bool IsTooWide(double deviation) {
  return 2 * std::sinh(kReach * deviation) > 1;
}

}  // namespace

Status TwinTooWide() {
  return Status::No(std::string("along a twin (estimated structure) ") +
                    kTooWide);
}

Joiner::Joiner(std::span<const Trace> inputs, const std::optional<Drift>& drift,
               WalkOptions options)
    : options_(WithSearches(std::move(options))),
      structure_(inputs, first_, HowSearched(options_)),
      twins_(first_, HowSearched(options_), options_.twins) {
  for (const Trace& t : inputs) {
    first_.try_emplace(t.meta.ranks, &t);
    costs_.Add(t, DriftScale(drift, t.meta.start_unix_ns));
  }
  there_.machine = options_.machine.value_or(MachineRatios());
}

Status Joiner::Prepare() {
  if (!prepared_) {
    prepared_ = CompileRuns();
    if (prepared_->ok()) prepared_ = FitToRuns();
  }
  return *prepared_;
}

Status Joiner::CompileRuns() {
  if (compiled_) return *compiled_;
  compiled_ = Status::Ok();
  if (first_.size() < StructureLaws::kLeastSizes) {
    compiled_ = Status::No("fewer than three sizes");
  }
  for (const auto& [ranks, trace] : first_) {
    if (!compiled_->ok()) break;
    auto program = CompileTrace(*trace, options_.links.get());
    if (!program.ok()) {
      compiled_ = program.status();
      break;
    }
    costs_.AddProgram(ranks, *program);
    runs_.emplace_back().program = std::move(*program);
  }
  return *compiled_;
}

Status Joiner::FitToRuns() {
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

Status Joiner::CheckMet() const {
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

double Joiner::SmallestWork() {
  const auto smallest = At(first_.begin()->first);
  return smallest.ok() ? smallest->seconds * double(first_.begin()->first) : 0;
}

std::string Joiner::Basis(const WalkedPoint& a) const {
  std::string basis = a.estimated ? "walked along a twin (estimated structure)"
                                  : "walked along the extrapolated trace";
  if (linked()) basis += " and the machine's links";
  if (options_.measured) basis += ", messages as measured";
  return basis;
}

Result<WalkedPoint> Joiner::At(int64_t ranks, const Stop& stop, Effort effort) {
  if (const Status s = stop ? stop() : Status::Ok(); !s.ok()) return s;
  if (const Status s = CompileRuns(); !s.ok()) return s;
  // What was run needs no structure made up.
  const auto known = first_.find(ranks);
  if (known != first_.end()) {
    return AtTrace(*known->second, stop, effort);
  }
  const Result<Extrapolation> made = structure_.At(ranks);
  if (!made.ok()) {
    if (effort == Effort::kLittle) return made.status();
    auto twin = AlongTwin(ranks, stop);
    if (twin.ok() || IsBeyondTooWide(ranks)) return twin;
    return made.status();
  }
  Result<WalkedPoint> a = AtTrace(made->trace, stop, effort);
  if (a.ok()) AddDrift(ranks, &*a);
  return a;
}

Result<WalkedPoint> Joiner::AlongTwin(int64_t ranks, const Stop& stop) {
  if (const Status s = stop ? stop() : Status::Ok(); !s.ok()) return s;
  // The same for all rank counts, and soon known where no twin will do.
  const auto off = HeldOutStructure(stop);
  if (!off.ok()) return off.status();
  if (IsBeyondTooWide(ranks)) return TwinTooWide();
  const auto twin = twins_.At(ranks, kFirstSeed);
  if (!twin.ok()) return twin.status();
  WalkedTrace walked;
  Result<WalkedPoint> a = AtTrace(*twin, stop, Effort::kAny, &walked);
  if (!a.ok()) return a;
  AddDrift(ranks, &*a);
  const Status added = AddEstimates(*twin, walked, stop, &*a);
  if (!added.ok()) return added;
  if (ranks > first_.rbegin()->first && IsTooWide(a->deviation)) {
    too_wide_twin_ = std::min(ranks, too_wide_twin_.value_or(ranks));
  }
  return a;
}

Result<WalkedPoint> Joiner::StampWalked(Trace* made, const Stop& stop,
                                        Effort effort) {
  if (effort == Effort::kLittle && !made->meta.estimates.empty()) {
    return Status::No("a twin takes long to walk");
  }
  WalkedTrace walked;
  Result<WalkedPoint> a = AtTrace(*made, stop, effort, &walked);
  if (!a.ok()) return a;
  AddDrift(made->meta.ranks, &*a);
  if (!made->meta.estimates.empty()) {
    const Status added = AddEstimates(*made, walked, stop, &*a);
    if (!added.ok()) return added;
  }
  const auto means = MeansOf(*costs_.contexts(), walked.program, walked.times);
  Stamp(means, &walked.times.costs, Numbers(), Largest(), made);
  return a;
}

void Joiner::StampByLaws(const Forecaster& laws, Trace* made) {
  std::optional<Costs> costs;
  const auto means = MeansByLaws(laws, *made, made->meta.ranks, &costs);
  Stamp(means, costs ? &*costs : nullptr, Numbers(), Largest(), made);
}

NumberOfEvent Joiner::Numbers() {
  return [this](const Trace& trace, const reduction::Node& node) {
    return costs_.NumberOf(trace, node);
  };
}

void Joiner::AddDrift(int64_t ranks, WalkedPoint* a) const {
  const double largest = double(first_.rbegin()->first);
  const double doublings = std::max(0.0, std::log2(double(ranks) / largest));
  const double drift =
      doublings *
      std::max(LeastBend(a->call), held_out_error_ / held_out_doublings_);
  a->deviation = std::hypot(a->deviation, drift);
}

Status Joiner::AddEstimates(const Trace& twin, const WalkedTrace& walked,
                            const Stop& stop, WalkedPoint* a) {
  a->estimated = true;
  const auto off = HeldOutStructure(stop);
  if (!off.ok()) return off.status();
  const double doublings = std::max(
      1.0, std::log2(double(twin.meta.ranks) / double(first_.rbegin()->first)) /
               held_out_doublings_);
  a->deviation = std::hypot(a->deviation, std::abs(*off) * doublings,
                            DoubtOf(twin, walked));
  // Others would make what is too wide already wider.
  if (IsTooWide(a->deviation) || CountEvents(twin) > kMostDrawnAgain) {
    return Status::Ok();
  }
  const auto others = SpreadOfTwins(twin.meta.ranks, walked, stop);
  if (!others.ok()) return others.status();
  a->deviation = std::hypot(a->deviation, *others);
  return Status::Ok();
}

Result<double> Joiner::HeldOutStructure(const Stop& stop) {
  if (held_out_structure_) return *held_out_structure_;
  auto off = DrawAndWalkLargest(stop);
  if (off.ok() && IsTooWide(std::abs(*off))) {
    off = Status::No(fmt::format(
        "the run on {} ranks, drawn from the others, takes {:.3g} times as "
        "long in a walk",
        Largest().meta.ranks, std::exp(*off)));
  }
  // What was stopped may be asked for again.
  if (!stop || stop().ok()) held_out_structure_ = off;
  return off;
}

Result<double> Joiner::DrawAndWalkLargest(const Stop& stop) {
  const auto twin = twins_.HeldOut(kFirstSeed);
  if (!twin.ok()) return twin.status();
  if (const Status s = Prepare(); !s.ok()) return s;
  const auto drawn = WalkOnce(*twin, stop);
  if (!drawn.ok()) return drawn.status();
  const auto is = WalkOnce(Largest(), stop);
  if (!is.ok()) return is.status();
  return std::log(drawn->times.walked.seconds / is->times.walked.seconds);
}

Result<double> Joiner::SpreadOfTwins(int64_t ranks, const WalkedTrace& first,
                                     const Stop& stop) {
  double squares = 0, others = 0;
  const Stop counting = meter_.Counting(stop);
  for (uint64_t seed = kFirstSeed + 1; seed <= kLastSeed; ++seed) {
    const auto twin = twins_.At(ranks, seed);
    if (!twin.ok()) return twin.status();
    const auto walked = WalkOnce(*twin, counting);
    if (!walked.ok()) return walked.status();
    const double off =
        std::log(walked->times.walked.seconds / first.times.walked.seconds);
    squares += off * off;
    ++others;
  }
  return std::sqrt(squares / others);
}

double Joiner::DoubtOf(const Trace& twin, const WalkedTrace& walked) {
  std::map<std::pair<std::string, std::string>, double> widths;
  for (const reduction::SiteEstimate& e : twin.meta.estimates) {
    const double messages = e.messages > 0 ? e.messages_width / e.messages : 0;
    const double bytes = e.bytes > 0 ? e.bytes_width / e.bytes : 0;
    widths[{e.call, e.site}] = std::max(messages, bytes);
  }
  std::map<uint32_t, double> of_event;
  reduction::ForEachEvent(twin.root, [&](const reduction::Node& node) {
    const auto known =
        widths.find(std::pair(std::string(reduction::Info(node.call).name),
                              reduction::ToString(twin.sites, node.site)));
    if (known == widths.end()) return;
    of_event[costs_.NumberOf(twin, node)] = known->second;
  });
  const Walked& times = walked.times.walked;
  double seconds = 0;
  for (const auto& [event, width] : of_event) {
    seconds += width * times.in_call[event];
  }
  return seconds / kNormalReach / (double(twin.meta.ranks) * times.seconds);
}

Costs Joiner::OnNetwork(Costs costs) const {
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

Result<Calibration> Joiner::FitNetwork(
    const std::vector<Measured>& runs) const {
  if (options_.network) return Calibration::Of(*options_.network);
  return Calibration::Fit(runs, Known());
}

double Joiner::LeastBend(double call_share) const {
  if (!linked()) return kLeastBend;
  return kLeastBend +
         call_share * (options_.measured ? kSharedBend : kQueuedBend);
}

Result<Program> Joiner::CompileTrace(const Trace& trace, const Links* links) {
  if (links != nullptr && trace.meta.ranks > links->ranks()) {
    return Status::No("the machine has no places for " +
                      std::to_string(trace.meta.ranks) + " ranks");
  }
  return Compile(
      trace, uint32_t(costs_.events()),
      [&](const reduction::Node& node) { return costs_.NumberOf(trace, node); },
      costs_.contexts());
}

Result<WalkedPoint> Joiner::AtTrace(const Trace& trace, const Stop& stop,
                                    Effort effort, WalkedTrace* walked) {
  if (const Status s = Prepare(); !s.ok()) return s;
  double blur = 0;
  auto program = CompileTarget(trace, stop, effort, &blur);
  if (!program.ok()) return program.status();
  WalkedTimes times;
  // The prediction, the walk without transfers, and the other twins.
  const double others =
      trace.meta.estimates.empty() ? 0 : double(kLastSeed - kFirstSeed);
  meter_.Begin(*program, calibration_->WalksOfPrediction() + 1 + others);
  const Stop counting = meter_.Counting(stop);
  auto along =
      Predict(*program, *calibration_, INT64_MAX, there_, counting, &times);
  if (!along.ok()) return along;
  along->deviation = std::hypot(along->deviation, blur);
  const auto efficiencies = EfficienciesOf(*program, times, counting);
  if (!efficiencies.ok()) return efficiencies.status();
  along->efficiencies = *efficiencies;
  if (walked != nullptr) *walked = {std::move(times), std::move(*program)};
  return along;
}

Result<Joiner::WalkedTrace> Joiner::WalkOnce(const Trace& trace,
                                             const Stop& stop) {
  RANKSIGHT_REQUIRE(calibration_.has_value());
  auto program = CompileTrace(trace, LinksThere());
  if (!program.ok()) return program.status();
  auto times = TimesOf(*program, stop);
  if (!times.ok()) return times.status();
  return WalkedTrace{std::move(*times), std::move(*program)};
}

Result<WalkedTimes> Joiner::TimesOf(const Program& program, const Stop& stop) {
  WalkedTimes times;
  times.costs = CostsOf(program, INT64_MAX, there_).costs;
  auto walked = calibration_->WalkOnce(program, times.costs, there_, stop);
  if (!walked.ok()) return walked.status();
  times.walked = std::move(*walked);
  return times;
}

LawCosts Joiner::CostsOf(const Program& program, int64_t below,
                         const Elsewhere& there) {
  costs_.Separate();
  LawCosts law;
  law.costs = OnNetwork(costs_.Extrapolate(program, below, &law.half_width));
  law.here = ComputationOf(program, law.costs);
  law.costs = there.Of(std::move(law.costs), *costs_.contexts());
  law.there = ComputationOf(program, law.costs);
  if (law.here > 0) law.half_width *= law.there / law.here;
  return law;
}

Result<WalkedPoint> Joiner::Predict(const Program& program,
                                    const Calibration& calibration,
                                    int64_t below, const Elsewhere& there,
                                    const Stop& stop, WalkedTimes* times) {
  LawCosts law = CostsOf(program, below, there);
  Costs& costs = law.costs;
  auto predicted = calibration.Predict(program, costs, there, stop);
  if (!predicted.ok()) return predicted.status();
  WalkedPoint a;
  const double n = double(program.ranks);
  double in_call = 0;
  for (size_t e = 0; e < costs.events.size(); ++e) {
    a.compute += predicted->walked.compute[e];
    in_call += predicted->walked.in_call[e];
  }
  if (program.ranks < first_.begin()->first && law.there > 0) {
    const Status places =
        CheckPlaces(program, costs, a.compute * law.here / law.there);
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
  const double scatter =
      r.empty() ? kOwnCoreDeviation : std::sqrt(squares / double(r.size() - 1));
  const double computed =
      law.half_width / kNormalReach / (n * predicted->seconds);
  a.deviation = std::hypot(std::hypot(predicted->deviation, scatter), computed);
  if (times != nullptr) {
    *times = {std::move(costs), std::move(predicted->walked)};
  }
  return a;
}

Status Joiner::CheckPlaces(const Program& program, const Costs& costs,
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

KnownNetwork Joiner::Known() const {
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
    known.measured_hops = HopsOf(*options_.links, route);
  }
  return known;
}

Status Joiner::HoldOut() {
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

}  // namespace ranksight::online_model
