// Joiner: the time at a rank count by a walk of its trace, with computation by
// the law of each event and a network fitted to the measured runs. The trace is
// a measured one, one by the laws of the structure, or where there are none
// twins (api/twin.h).
//
// Cheap things come first: runs that cannot be walked, and rank counts that no
// trace can be made for, are told before the network is fitted.
// Thread-safety: one thread. REQUIRES: the inputs outlive it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "online_model/api/joined.h"
#include "online_model/join/costs.h"
#include "online_model/join/stamp.h"
#include "online_model/join/structure_laws.h"
#include "online_model/join/structure_twins.h"
#include "online_model/join/walk_meter.h"
#include "online_model/synthesize/time_ladder.h"
#include "online_model/walk/calibrate.h"

namespace ranksight::online_model {

// Standard deviations to the end of a 90 % interval. That of a normal
// distribution is 1.645; the deviation itself is estimated from few sizes.
// Chosen where nine of ten hold (tests/bench/simulated/calibration.sh); at 1.5
// it is eight.
inline constexpr double kReach = 1.8;

// The time at one rank count by walking its trace.
struct WalkedPoint {
  double seconds = 0, deviation = 0;  // relative, of log
  double compute = 0, call = 0;       // share
  bool estimated = false;             // whether the trace is a twin
  Efficiencies efficiencies;
};

// Of a twin whose interval is wider than its time.
reduction::Status TwinTooWide();

// Where a walk is that is not of the runs: with what machine and WhatIf say.
struct Elsewhere : OtherPlace {
  double compute_scale = 1;
  std::map<uint32_t, double> compute_of_event;  // on top of that

  // What computation before an event is multiplied by, but for the machine.
  double ScaleOf(uint32_t event) const;
  Costs Of(Costs costs, const ContextTable& contexts) const;
};

// Costs by law, half of the 90 % interval of their computation, and how much
// computation there is, elsewhere of what it is here; rank seconds.
struct LawCosts {
  Costs costs;
  double half_width = 0, here = 0, there = 0;
};

// What a walk may take: anything, or little, as that of classes of ranks or of
// a trace of few events does, and no twin.
enum class Effort : uint8_t { kAny, kLittle };

class Joiner {
 public:
  Joiner(std::span<const reduction::Trace> inputs,
         const std::optional<Drift>& drift, WalkOptions options);

  // What is walked from now on. kUsage where a text is in no call path, or of
  // another network nothing can be said.
  reduction::Status Suppose(const WhatIf& what_if);

  // Fits the network, and holds out the largest size to see how far off a
  // forecast of it would have been. Once; then it says the same again.
  reduction::Status Prepare();
  // Of one walk of each measured size, by rank count; none where Prepare() was
  // not asked for, or not ok.
  std::map<int64_t, Efficiencies> MeasuredEfficiencies();
  // Rank seconds of the smallest size, walked; 0 where Prepare() fails.
  double SmallestWork();
  // What a walked point is based on.
  std::string Basis(const WalkedPoint& a) const;

  // Who is told how far the walks of a rank count are, from the next one on.
  void TellTo(std::function<void(double share)> tell) {
    meter_.TellTo(std::move(tell));
  }
  // Prepares what it needs.
  reduction::Result<WalkedPoint> At(int64_t ranks, const Stop& stop = {},
                                    Effort effort = Effort::kAny);
  // The same along a trace that somebody else made, whose events then take what
  // they take in the walk.
  reduction::Result<WalkedPoint> StampWalked(reduction::Trace* made,
                                             const Stop& stop = {},
                                             Effort effort = Effort::kAny);
  // Events of a trace that cannot be walked take what their laws say.
  void StampByLaws(const Forecaster& laws, reduction::Trace* made);
  // Times at any rank count for a trace that carries laws.
  reduction::Status SetTimesOfLaws(const Forecaster& laws,
                                   reduction::Trace* symbolic);

 private:
  // What was walked, and what came of it.
  struct WalkedTrace {
    WalkedTimes times;
    Program program;
  };

  const reduction::Trace& Largest() const { return *first_.rbegin()->second; }
  reduction::Status CompileRuns();
  reduction::Status FitToRuns();
  reduction::Status CheckMet() const;
  reduction::Status HoldOut();

  const Links* LinksThere() const {
    return there_.links != nullptr ? there_.links.get() : options_.links.get();
  }
  bool linked() const { return LinksThere() != nullptr; }
  // The events at the call sites that are meant. kUsage where there are none.
  reduction::Result<std::set<uint32_t>> EventsAt(
      const reduction::SiteScale& scale);
  Costs OnNetwork(Costs costs) const;
  KnownNetwork Known() const;
  reduction::Result<Calibration> FitNetwork(
      const std::vector<Measured>& runs) const;
  double LeastBend(double call_share) const;
  reduction::Result<WalkedPoint> AlongTwin(int64_t ranks, const Stop& stop);
  // Whether a twin of fewer ranks, beyond the runs, was too wide: one of more
  // is, too, and takes longer to draw.
  bool IsBeyondTooWide(int64_t ranks) const {
    return too_wide_twin_ && ranks > *too_wide_twin_;
  }
  // How far off a walk may be beyond the measured sizes.
  void AddDrift(int64_t ranks, WalkedPoint* a) const;
  // And where what is walked is a twin: how far others of its kind are from it,
  // what its estimates leave open, and how far off the largest run is, drawn
  // from the others.
  reduction::Status AddEstimates(const reduction::Trace& twin,
                                 const WalkedTrace& walked, const Stop& stop,
                                 WalkedPoint* a);
  // log(drawn / measured) of the largest run's walk; kNo where that alone makes
  // an interval too wide.
  reduction::Result<double> HeldOutStructure(const Stop& stop);
  reduction::Result<double> DrawAndWalkLargest(const Stop& stop);
  // How far walks of other twins of as many ranks are from this one, relative.
  reduction::Result<double> SpreadOfTwins(int64_t ranks,
                                          const WalkedTrace& first,
                                          const Stop& stop);
  // Relative deviation of the time: as far as calls of a site are estimated,
  // what they take is.
  double DoubtOf(const reduction::Trace& twin, const WalkedTrace& walked);

  NumberOfEvent Numbers();
  // links: on which its ranks need places; nullptr for none.
  reduction::Result<Program> CompileTrace(const reduction::Trace& trace,
                                          const Links* links);
  // Of a trace that no run has. Where it has many events, by classes of ranks
  // if that does (rank_classes.h); *blur is then how far off that may be,
  // relative.
  reduction::Result<Program> CompileTarget(const reduction::Trace& trace,
                                           const Stop& stop, Effort effort,
                                           double* blur);
  // *walked: where not nullptr.
  reduction::Result<WalkedPoint> AtTrace(const reduction::Trace& trace,
                                         const Stop& stop, Effort effort,
                                         WalkedTrace* walked = nullptr);
  reduction::Result<WalkedPoint> Predict(const Program& program,
                                         const Calibration& calibration,
                                         int64_t below, const Elsewhere& there,
                                         const Stop& stop,
                                         WalkedTimes* times = nullptr);
  // walked: with these costs.
  reduction::Result<Efficiencies> EfficienciesOf(const Program& program,
                                                 const WalkedTimes& times,
                                                 const Stop& stop) const;
  reduction::Status CheckPlaces(const Program& program, const Costs& costs,
                                double walked) const;
  // One walk: how far off it may be takes some ten of them.
  // REQUIRES: Prepare() was ok.
  reduction::Result<WalkedTrace> WalkOnce(const reduction::Trace& trace,
                                          const Stop& stop = {});
  reduction::Result<WalkedTimes> TimesOf(const Program& program,
                                         const Stop& stop);
  // By law, on the network that is asked for.
  LawCosts CostsOf(const Program& program, int64_t below,
                   const Elsewhere& there);

  // joiner_ladder.cc
  double AddStep(const Forecaster& laws, const reduction::Trace& symbolic,
                 int64_t ranks, TimeLadder* ladder);
  TimeLadder::Means StepOf(const EventMeans& means,
                           const reduction::Trace& symbolic,
                           const reduction::Node& node);
  std::vector<EventMeans> MeansByLaws(const Forecaster& laws,
                                      const reduction::Trace& made,
                                      int64_t ranks,
                                      std::optional<Costs>* costs);

  const WalkOptions options_;
  WalkMeter meter_;
  Elsewhere there_;
  FirstOfSize first_;
  StructureLaws structure_;
  StructureTwins twins_;
  CostTable costs_;
  std::vector<Measured> runs_;
  std::optional<reduction::Status> compiled_, prepared_;
  std::optional<Calibration> calibration_;
  double held_out_error_ = 0, held_out_doublings_ = 1;
  std::optional<reduction::Result<double>> held_out_structure_;
  std::optional<int64_t> too_wide_twin_;  // the fewest ranks of one
};

}  // namespace ranksight::online_model
