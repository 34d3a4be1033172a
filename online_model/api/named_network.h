// Networks by name: what messages take on common machines, for forecasts of
// runs whose own messages say nothing, since their ranks shared cores; and such
// runs as they would have been with a core for each rank.
//
// Thread-safety: pure functions; immutable data.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "online_model/api/forecast.h"
#include "online_model/api/machine.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

struct NamedNetwork {
  std::string name;
  // Seconds from rank to rank, of posting a message, and for a byte.
  double latency = 0, overhead = 0, byte = 0;
  std::string source;  // of these numbers
  // As measured (ranksight machine measure), and then the numbers above are of
  // its shortest and longest; empty for a preset.
  std::vector<AtBytes> messages;
};

// What is taken where nothing is said.
inline constexpr char kDefaultNetwork[] = "shared-memory";

std::span<const NamedNetwork> NetworkPresets();
// "shared-memory, 10g-ethernet, ...".
std::string NetworkNames();
// A preset by its name (the default one where it is empty), else a file of
// `machine measure`. kUsage where it is
// neither a name nor a file; kBadInput, kIo.
reduction::Result<NamedNetwork> FindNetwork(const std::string& name_or_file);

// Whether ranks of some of these shared cores, so that their times in calls are
// not to be used.
bool AnySharedCores(std::span<const reduction::Trace> runs);
// Puts in the place of a run's times in calls, and of its whole, those that it
// takes with a core for each rank and this network: its ranks are walked
// through it. kNo where it cannot be walked; then the trace has computation
// alone.
reduction::Status PutOnNetwork(const NamedNetwork& network,
                               reduction::Trace* run);
// What runs took on their cores, whatever network they were put on since.
class RunTimes {
 public:
  void Add(const reduction::Trace& run);
  // Of the sizes measured.
  void State(Forecast* f) const;

 private:
  std::map<int64_t, reduction::Moments> seconds_;  // by ranks
};
// Refuses all points, since some runs could not be walked.
void RefuseUnwalked(const reduction::Status& why, Forecast* f);

}  // namespace ranksight::online_model
