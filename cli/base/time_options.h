// Options that say what machine times are forecast for, and runs put on it.
// Thread-safety: as what it holds.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/base/link_options.h"
#include "online_model/api/joined.h"
#include "online_model/api/named_network.h"

namespace ranksight::cli {

class Progress;  // progress.h

struct TimeOptions {
  std::string machine, messages, network;
  PlaceOptions places;
};
// All but --machine.
void AddTimeOptions(CLI::App* app, TimeOptions* options);

// The network that runs are put on, and why one of them could not be walked.
struct OnNetwork {
  std::optional<online_model::NamedNetwork> network;
  reduction::Status unwalked;
  online_model::RunTimes took;

  void Put(reduction::Trace* run);
  void Say(online_model::Forecast* forecast) const;
};
// The one asked for, or where ranks shared cores the measured or the default
// one.
reduction::Status ChooseNetwork(const TimeOptions& options, bool shared_cores,
                                OnNetwork* on);

// All that a walk needs to know but the network.
reduction::Result<online_model::WalkOptions> ReadWalkOptions(
    const TimeOptions& options, const std::vector<std::string>& plugins);

// The same walks, which tell how far they are. progress: outlives them.
online_model::WalkOptions Telling(online_model::WalkOptions walk,
                                  Progress* progress);

// Gives a trace that was made of these runs what a forecast says for it. One
// that a trace's own laws gave has their times. twins: of the same runs, where
// the trace is one; or nullptr. tell_share: as in WalkOptions.
reduction::Status SetTimes(const TimeOptions& options,
                           const std::vector<std::string>& plugins,
                           std::vector<reduction::Trace> runs,
                           reduction::Trace* made,
                           std::shared_ptr<online_model::TwinMaker> twins,
                           std::function<void(double share)> tell_share = {});

// Of the runs, and of what will be forecast: what is refused needs no places.
int64_t MostRanks(const std::vector<int64_t>& asked,
                  const std::vector<reduction::Trace>& traces);

}  // namespace ranksight::cli
