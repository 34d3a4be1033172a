// What `ranksight map` says about mappings.
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "bgq_support/api/network.h"
#include "cli/look/flows.h"
#include "cli/symbols/site_names.h"
#include "reduction/api/trace.h"

namespace ranksight::cli {

// What is said of the loads of some traffic. The loads themselves, a number for
// every link, are kept for all traffic together only.
struct LoadFigures {
  LoadFigures(const bgq_support::LinkLoads& loads,
              const bgq_support::Network& network);
  double HopsPerByte() const;

  double max_bytes, max_seconds, hop_bytes;
  uint64_t sent_bytes, local_bytes;
};

// A mapping with its loads: of all traffic, of each part of the program
// (phase) and of each call site, in the order of the traffic.
struct MappedLoads {
  std::string name;  // "default", "best", ...
  std::string how;
  const bgq_support::Mapping* mapping = nullptr;
  bgq_support::LinkLoads total;
  std::vector<LoadFigures> phases, sites;
};

struct MapReport {
  const reduction::Trace& trace;
  const TraceTraffic& traffic;
  const bgq_support::Network& network;
  int ranks_per_node = 1;
  std::string routing;
  std::vector<MappedLoads> mappings;
  SiteNames* names = nullptr;  // of call sites, for the text
};

// The phases that have traffic, ascending.
std::vector<size_t> PhasesOf(const TraceTraffic& traffic);

std::string MapText(const MapReport& report);
std::string MapJson(const MapReport& report);

}  // namespace ranksight::cli
