// Forecasts joined along the extrapolated trace. The trace at N says exactly
// which messages and collectives there are and who waits for whom; a walk of
// all ranks through it, with computation by the law of each event and a
// network fitted to the measured runs, gives the time: what ranks wait for
// and what overlaps counts, as it does in a run.
//
// Where nothing can be walked, the sum of the events' laws (forecast.h) stands.
//
// Thread-safety: pure functions, and what JoinedForecaster says.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "online_model/api/forecast.h"
#include "online_model/api/law_searches.h"
#include "online_model/api/links.h"
#include "online_model/api/named_network.h"
#include "online_model/api/own_laws.h"
#include "online_model/api/stop.h"
#include "online_model/api/twin.h"
#include "online_model/api/what_if.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

struct WalkOptions {
  // The times are those the program would take there, and points that cannot
  // be walked are refused; all else in the forecast is of the machine of the
  // runs.
  std::optional<MachineRatios> machine;
  OwnLaws own_laws;  // tried where ours do not fit
  // Where laws that were found before are, of whatever runs; nullptr: nowhere.
  std::shared_ptr<LawSearches> searches;
  // Of the machine of the runs: who meets whom is then walked, and not a power
  // of the rank count. Rank counts without places are not walked.
  std::shared_ptr<const Links> links;
  // Of the machine of the runs: messages go with their length as these do.
  std::optional<MachineTimes> measured;
  // The runs were put on it (named_network.h), and it is fitted to nothing.
  std::optional<NamedNetwork> network;
  // Of the same runs, where their laws have been searched for twins before: the
  // search takes longer than all else. nullptr: it is made where it is needed.
  std::shared_ptr<TwinMaker> twins;
  // Of the clock on the wall, from when a forecast is asked for: what is not
  // walked by then is what laws add up to, and says so. 0: none. A search for
  // laws is not cut short.
  double limit_seconds = 0;
  // Told now and then how much is done of all, above 0, at most 1: a rank count
  // counts as its ranks do. By the thread that walks. Empty: nobody.
  std::function<void(double share)> tell_share;
};

// As forecaster.At(ranks), joined where the structure could be extrapolated
// and walked; elsewhere ForecastPoint::basis says why it was not.
// REQUIRES: inputs are the runs given to forecaster.
Forecast JoinedForecast(const Forecaster& forecaster,
                        std::span<const reduction::Trace> inputs,
                        std::span<const int64_t> ranks,
                        const WalkOptions& options = {});

// The same for each what-if in turn; what does not differ between them is done
// once: the search for laws and the fit to the runs. limit_seconds is for all.
// kUsage where a what-if names no call site of the runs, or another network
// where that of the runs is not known.
reduction::Result<std::vector<Forecast>> ForecastsIf(
    const Forecaster& forecaster, std::span<const reduction::Trace> inputs,
    std::span<const int64_t> ranks, const WalkOptions& options,
    std::span<const WhatIf> what_ifs);

// Gives a trace that was made of these runs (extrapolate.h, twin.h) the times
// that JoinedForecast says for its rank count: events take what they take in
// the walk, so that a replay, a simulation or a generated program takes what
// was forecast, and Meta::forecast says what that is. Where nothing can be
// walked they take what laws say. A trace that carries laws for any rank count
// gets times for those as well, walked where that is soon done.
// REQUIRES: as JoinedForecast.
void SetForecastTimes(const Forecaster& forecaster,
                      std::span<const reduction::Trace> inputs,
                      const WalkOptions& options, reduction::Trace* made);

// The same one rank count after the other, for who cannot wait for all: the
// network is fitted once, and the laws of the structure are found once.
// Thread-safety: one thread at a time.
class JoinedForecaster {
 public:
  // Fits the network to the runs, which takes from a moment to seconds.
  // drift: that of the laws' Forecast.
  explicit JoinedForecaster(std::vector<reduction::Trace> inputs,
                            const std::optional<Drift>& drift = std::nullopt,
                            const WalkOptions& options = {});
  ~JoinedForecaster();
  // Makes of a point of `laws`, forecast from the laws of these runs, what
  // JoinedForecast says there; or, where `stop` ends it, the sum of the laws
  // with that reason. REQUIRES: not refused for being too far.
  void Walk(const Forecast& laws, const Stop& stop, ForecastPoint* point);
  // Of the measured runs, by rank count; empty where no point could be walked.
  std::map<int64_t, Efficiencies> Measured();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Runs of one size that are walked; more would not change what is fitted.
inline constexpr int kMostWalkedOfASize = 8;

// Gives measured sizes these efficiencies.
void SetMeasured(const std::map<int64_t, Efficiencies>& measured, Forecast* f);

// Says of the next run what it does for the widest interval of the points,
// where that one is walked: it widens with each doubling beyond the largest
// run. Of one that is not beyond, how much it narrows the interval is not
// known.
void StateGain(Forecast* f);

// Moves a walked point by what runs under way are expected to take, against
// what the walk says at their rank counts: in the proportion of the two, as
// far as the runs have been seen, and the interval is wider by as much.
// walked_seconds: 0 where nothing was walked.
void MoveByRunsUnderWay(const std::vector<RunUnderWay>& runs,
                        const std::function<double(int64_t)>& walked_seconds,
                        ForecastPoint* point);

}  // namespace ranksight::online_model
